import type { Call, Unit } from '../../facts/facts.ts'
import { has } from '../../facts/query.ts'
import { type FileView, type Report } from '../rule.ts'

/** A helper of another file that, by its name, gives a free port. */
export const FINDS =
  /(^|[._:])unused_(tcp|udp)\w*$|Ports?(Assignment|Allocator|Picker|Finder)\.(unique|next|get|pick|allocate)\w*$|(^|[._:])(must_?)?(find|get|pick|choose|next|alloc(ate)?|reserve|random|unused|available|free|next)_?(\w*_)?(free|available|unused|open|random|tcp|udp|next)(_?(tcp|udp|local|host|listen))?_?ports?$/i

/** `when(ports.nextFreePort()).thenReturn(40)`: of a stand-in. */
export const isPlayed = (call: Call, unit: Unit): boolean => {
  const index = unit.calls.indexOf(call)
  return unit.calls.some(c =>
    (/(^|[.])(when|given|verify|doReturn)$/.test(c.name) || has(c, 'stub')) && c.args.some(a => a.is === 'call' && a.call === index)
  )
}

/** `NetUtils.getAvailablePort()`: of a class, not of a server that knows its own. */
export const isStatic = ({ receiver }: Call): boolean =>
  receiver === null || (receiver.is === 'name' && /(^|\.)[A-Z]\w*[a-z]\w*$/.test(receiver.path))

const FIXTURE = /^(unused|free|available|random|open)_(tcp_|udp_)?port(_factory|s)?$/

/** A fixture of elsewhere that gives one: `unused_tcp_port`. */
export const fixtureOf = (unit: Unit, { facts }: FileView): string | undefined =>
  facts.language === 'python' && unit.role.is === 'test' && !facts.units.some(u => FIXTURE.test(u.name))
    ? unit.params.find(p => FIXTURE.test(p))
    : undefined

/** `getRemoteAddress() { return new InetSocketAddress(freePort()) }` */
export const isStandIn = (unit: Unit): boolean =>
  unit.role.is === 'helper' && /^(get)?_?(remote|local|peer)_?addr(ess)?\d*$/i.test(unit.name)

const SCRIPT = /\.bind\(\(.*,\s*0\)\)[^]*getsockname/

/** A function of a script that lets another program bind, print and close: told where its number is kept. */
export function* scripts({ facts }: FileView): Generator<Report> {
  for (const helper of facts.units) {
    if (!helper.calls.some(c =>
      [...c.args, ...Object.values(c.named)].some(a => a.is === 'literal' && typeof a.value === 'string' && SCRIPT.test(a.value))
    )) continue
    for (const unit of helper.role.is === 'helper' ? facts.units : []) {
      const call = unit.calls.find(c => c.target === helper.id)
      if (call)
        yield { at: call.span, unit: unit.id, confidence: 'medium',
          message: `${helper.name} closes the port before it is used: somebody else may have it by the time it is bound again` }
    }
  }
}
