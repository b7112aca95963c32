// What rules say of the project's own configuration: findings in files that no parser reads. Comments silence them where
// the format has comments.

import { applySuppressions, readSuppressions } from '../config/suppress.ts'
import type { Comment } from '../facts/facts.ts'
import type { RunnerFile } from '../project/project.ts'
import { identified, lineHasher } from '../report/fingerprint.ts'
import { rules as allRules } from '../rules/registry.ts'
import type { Finding, Rule } from '../rules/rule.ts'
import { complaint, frameOf } from './analyse.ts'
import { linesOf, type Lines } from './lines.ts'
import { PRESET_CONFIDENCE, isOff, levelIn, presetIn, type Settings } from './settings.ts'

export interface ConfigurationResult {
  readonly findings: readonly Finding[]
  readonly suppressed: readonly Finding[]
}

/** Of the given files only; the project may have been read from more. */
export function checkConfiguration(files: readonly RunnerFile[], settings: Settings,
  rules: readonly Rule[] = allRules): ConfigurationResult
{
  const on = rules.filter(r => r.project && !isOff(settings, r.meta))
  const reports = on.flatMap(rule => [...rule.project!(settings.project)].map(report => ({ rule, report })))
  const results = files.map(({ path, text }) => {
    const lines = linesOf(text)
    const hash = lineHasher(text)
    const seen = new Map<string, number>()
    const made = reports.filter(r => r.report.file === path).flatMap(({ rule: { meta }, report }): Finding[] => {
      const { level, set } = levelIn(settings, meta, path)
      if (level === 'off') return []
      const region = lines.regionOf(report.at)
      const snippet = text.slice(report.at.start, report.at.end)
      const occurrence = seen.get(`${meta.id}\n${snippet}`) ?? 0
      seen.set(`${meta.id}\n${snippet}`, occurrence + 1)
      return [{
        ruleId: meta.id,
        severity: set ? level : report.severity ?? level,
        confidence: report.confidence,
        file: path,
        ...region,
        message: report.message,
        test: null,
        trace: [],
        related: [],
        ...identified({ ruleId: meta.id, file: path, test: null, snippet, occurrence }),
        lineHash: hash(region.startLine),
        frame: frameOf(region.startLine, lines),
      }]
    })
    return settle(made, path, text, lines, settings, on, rules)
  })
  return { findings: results.flatMap(r => r.findings), suppressed: results.flatMap(r => r.suppressed) }
}

function settle(made: readonly Finding[], path: string, text: string, lines: Lines, settings: Settings, on: readonly Rule[],
  rules: readonly Rule[]): ConfigurationResult
{
  const shown = PRESET_CONFIDENCE[presetIn(settings, path)]
  const visible = (all: readonly Finding[]) => all.filter(f => shown.includes(f.confidence))
  if (!text.includes('flakesniff-')) return { findings: visible(made), suppressed: [] }
  const { suppressions, problems } = readSuppressions(commentsIn(text), lines.lineOf, rules.map(r => r.meta.id), lines.all())
  const isOn = (id: string) => on.some(r => r.meta.id === id && levelIn(settings, r.meta, path).level !== 'off')
  const { kept, suppressed, unused } = applySuppressions(made, suppressions, isOn)
  const complaints = [...problems, ...unused].map((p, i, all) =>
    complaint(p, all.slice(0, i).filter(o => o.ruleId === p.ruleId).length, path, lines, text)
  )
  return { findings: [...visible(kept), ...complaints], suppressed: visible(suppressed) }
}

/** Lines with one of our words after the sign of a comment, in whatever format. */
function commentsIn(text: string): Comment[] {
  return [...text.matchAll(/(?:#|\/\/|<!--|;)[ \t]*(flakesniff-[^\n]*)/g)].map(m => ({
    span: { start: m.index, end: m.index + m[0].trimEnd().length },
    text: m[1]!.trimEnd(),
  }))
}
