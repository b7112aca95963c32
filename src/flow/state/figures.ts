// What every test of a process draws on, or calls, without having made it: the current figure of pyplot, a function of the standard
// library.

import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { valuesIn, within } from '../../facts/query.ts'

const DRAWS =
  /^matplotlib\.(pyplot|pylab)\.(subplot|plot|axes|gca|gcf|bar|hist|scatter|imshow|title|legend|xlabel|ylabel|xlim|ylim|axis|yscale|xscale|savefig|draw|text|contourf?|pcolormesh|errorbar|axvline|axhline)$/
const MAKES =
  /^matplotlib\.(pyplot|pylab)\.(figure|subplots|subplot_mosaic|clf|close|cla|switch_backend)$|[.](clf|close)$|[fF]igure$|fig_test|[cC]leanup/

/** The first test of a file that draws on the figure that happens to be the current one: an earlier test may have left it. */
export function drawsOnCurrent({ units }: FileFacts): { readonly unit: Unit; readonly call: Call } | undefined {
  if (units.some(u => u.role.is === 'hook' && u.calls.some(c => MAKES.test(c.name)))) return undefined
  for (const unit of units) {
    const call = unit.role.is === 'test' ? unit.calls.find(c => DRAWS.test(c.name) && !within(unit, c.in, 'closure')) : undefined
    if (!call || unit.params.length > (unit.params[0] === 'self' ? 1 : 0) || unit.calls.some(c =>
      MAKES.test(c.name) && c.span.start < call.span.start
    ) || unit.markers.some(m => /cleanup|fig/i.test(m.name))) continue
    return { unit, call }
  }
  return undefined
}

const EVERYONES = /^(time|threading|asyncio|os|socket|subprocess|random|queue)\.\w+(\.\w+)?$/
const COUNTS = /\.(call_count|call_args_list|mock_calls|assert_called_once\w*|assert_has_calls|assert_not_called|await_count)$/

/** `with patch("time.sleep") as sleep: …; assert sleep.call_count == 3`: whatever else runs in the process calls it, too. */
export function* countedForAll({ units }: FileFacts): Generator<{ readonly unit: Unit; readonly call: Call; readonly what: string }> {
  for (const unit of units)
    for (const call of unit.role.is === 'test' ? unit.calls : []) {
      const what = PATCHES.test(call.name) && call.args[0]?.is === 'literal' ? String(call.args[0].value) : ''
      const kept = EVERYONES.test(what)
        ? unit.writes.find(w => [...valuesIn(w.value, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call))?.target
        : undefined
      if (kept !== undefined && isCounted(unit, kept)) yield { unit, call, what }
    }
}
const PATCHES = /mock\.patch( of the clock)?$|MockerFixture\.patch$|^mocker\.patch$/

/** Asked how often it was called, by a method or by a field. */
const isCounted = (unit: Unit, name: string): boolean =>
  unit.calls.some(c => c.receiver?.is === 'name' && c.receiver.path === name && COUNTS.test(c.name))
  || [...unit.assertions.flatMap(a => a.operands), ...unit.writes.map(w => w.value), ...unit.calls.flatMap(c => c.args)].some(o =>
    [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path.startsWith(`${name}.`) && COUNTS.test(v.path))
  )
