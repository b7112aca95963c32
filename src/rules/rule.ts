// What a rule is, and what it says. A rule is a sentence over facts and flows; it knows no language, reads no file and
// reports by returning.

import type { EffectKind } from '../facts/effects.ts'
import type { FileFacts, Language, Span } from '../facts/facts.ts'
import type { Folding } from '../facts/fold.ts'
import type { Flows } from '../flow/flow.ts'
import type { ProjectFacts } from '../project/project.ts'

export type Severity = 'error' | 'warning' | 'note'
export type Confidence = 'high' | 'medium' | 'low'
export type Preset = 'recommended' | 'strict' | 'audit'

/** The shake of the world with which a run could prove the suspicion. */
export type Perturbation = 'clock-shift' | 'tz-shift' | 'locale-shift' | 'seed-vary' | 'hash-seed' | 'shuffle-order' | 'isolate'
  | 'parallelise' | 'cpu-stress' | 'latency-inject' | 'port-occupy' | 'net-off' | 'cwd-change' | 'env-scrub' | 'tmp-move' | 'repeat'
  | 'unskip'

export interface RuleMeta {
  readonly id: string
  /** One sentence without a full stop: what is wrong. */
  readonly title: string
  readonly category: 'time' | 'waiting' | 'random' | 'order' | 'state' | 'environment' | 'masking' | 'numeric'
  readonly severity: Severity
  /** What must be in a file for the rule to have something to say: the screen looks for it. */
  readonly triggers: readonly (EffectKind | 'skip' | 'swallow' | 'global')[]
  /** Words or pieces of a pattern that do as well, where an effect alone would let too much through; for all languages or for some. */
  readonly words?: readonly string[] | Readonly<Partial<Record<Language, readonly string[]>>>
  /** It never speaks with more than low confidence: only the audit preset asks it. */
  readonly audit?: true
  /** Too few of its findings in other people's code have been read, or too many read badly, for it to speak with more than this. */
  readonly cap?: 'medium'
  /**
   * Where a file is full of what it finds, that is how the file works: after this many none speaks but for an audit.
   */
  readonly crowds?: number
  /** Of twenty and more that are sure in one file so many stay sure. For what real fixes leave alone in such files. */
  readonly foremost?: number
  /** Files that the rule wants to see whatever is in them, by their path. */
  readonly paths?: RegExp
  /** For a rule that speaks only where tests run side by side. */
  readonly parallel?: true
  /** For a rule that also looks at code that is not test code: what must be in it. */
  readonly source?: readonly EffectKind[]
  readonly confirm: readonly Perturbation[]
  readonly since: string
}

/** A place that belongs to a finding: a step of the way from source to sink, or the other test of a pair. */
export interface Place {
  readonly span: Span
  readonly message: string
  /** Another file's path; this file where it is left out. */
  readonly file?: string
}

/** A replacement of a stretch of the file's text. */
export interface Edit {
  readonly span: Span
  readonly text: string
}

/** A change that cures a finding. */
export interface Fix {
  /** What it does, as an editor's menu would say: «Await the call». */
  readonly title: string
  /** `safe` keeps the test's behaviour and may be applied without being asked; the other is a suggestion. */
  readonly safe: boolean
  /** In the order of the text; they do not overlap. */
  readonly edits: readonly Edit[]
}

export interface Report {
  readonly at: Span
  /** What depends on what, in a sentence with no full stop at its end. */
  readonly message: string
  readonly confidence: Confidence
  /** Where the rule's own severity does not fit. */
  readonly severity?: Severity
  /** The unit in which it stands: its test's name goes with the finding. */
  readonly unit: number
  /** From where the value arises to where it matters. */
  readonly trace?: readonly Place[]
  readonly related?: readonly Place[]
  /** The best first. */
  readonly fixes?: readonly Fix[]
}

/** One file, as a rule sees it. */
export interface FileView {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly flows: Flows
  readonly project: ProjectFacts
  /** The text of a span, for messages. */
  readonly textOf: (span: Span) => string
}

/** Something said of the project's configuration rather than of code. */
export interface ProjectReport extends Pick<Report, 'at' | 'message' | 'confidence' | 'severity'> {
  readonly file: string
}

export interface Rule {
  readonly meta: RuleMeta
  readonly check: (view: FileView) => Iterable<Report>
  /** For a rule that also speaks of runner and CI configuration: asked once in a run. */
  readonly project?: (project: ProjectFacts) => Iterable<ProjectReport>
}

export const defineRule = (meta: RuleMeta, check: Rule['check'], project?: Rule['project']): Rule => ({ meta, check,
  ...(project && { project }) })

/** A place in a file as a reader counts: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export interface Region {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

export interface FindingPlace extends Region {
  readonly file: string
  readonly message: string
}

/** A test whose outcome a finding elsewhere bears on. */
export interface Endangered extends FindingPlace {
  readonly test: string
  /** How many calls lie between the test and the cause. */
  readonly calls: number
  /** `guess` where some step was told by its name alone. */
  readonly sure: 'sure' | 'likely' | 'guess'
  /** The calls from the test to the cause. */
  readonly path: readonly FindingPlace[]
}

export interface FindingFix {
  readonly title: string
  readonly safe: boolean
  readonly edits: readonly (Region & { readonly text: string })[]
}

/** What leaves the engine. Plain data: formatters and surfaces need nothing else. */
export interface Finding extends Region {
  readonly ruleId: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly message: string
  /** The test, hook or helper around it, as its runner would name it. */
  readonly test: string | null
  readonly trace: readonly FindingPlace[]
  readonly related: readonly FindingPlace[]
  /** The tests that reach it through calls; left out where the finding stands in a test itself. */
  readonly endangers?: readonly Endangered[]
  /** Ours: rule, file, test and the finding's own text; survives edits elsewhere in the file. */
  readonly fingerprint: string
  /** The same without the file, and the same for all that are alike: survives moves. Not unique. */
  readonly likeness: string
  /** GitHub's primaryLocationLineHash of the first line. */
  readonly lineHash: string
  /** The lines around it, for a code frame. */
  readonly frame: readonly { readonly line: number; readonly text: string }[]
  /** What would cure it, the best first; left out where nothing mechanical does. */
  readonly fixes?: readonly FindingFix[]
  /** Set where a comment or the baseline silences it; such findings are kept only when asked for. */
  readonly suppressed?: { readonly reason: string; readonly by?: 'baseline' }
}

/** Something the run must tell beside its findings: a file it could not read, a suppression nobody needed. */
export interface Notice {
  readonly level: 'error' | 'warning' | 'note'
  readonly id: 'unreadable' | 'parse-problem' | 'too-slow' | 'internal' | 'symlink' | 'left-out' | 'baseline'
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}
