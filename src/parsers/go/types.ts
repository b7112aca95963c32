// What well-known functions and methods give. Data, and the look-up.

import type { Value } from '../../facts/facts.ts'
import { field, named, type Node } from '../tree-sitter.ts'
import { elementOf, lookup, textOf, typeName, type Place } from './scope.ts'
import { table } from '../table.ts'

const T = 'testing.T'

const RESULTS: Readonly<Record<string, string>> = table({
  'time.Now': 'time.Time',
  'time.Date': 'time.Time',
  'time.Unix': 'time.Time',
  'time.UnixMilli': 'time.Time',
  'time.UnixMicro': 'time.Time',
  'time.Parse': 'time.Time',
  'time.ParseInLocation': 'time.Time',
  'time.Since': 'time.Duration',
  'time.Until': 'time.Duration',
  'time.ParseDuration': 'time.Duration',
  'time.Duration': 'time.Duration',
  'time.AfterFunc': 'time.Timer',
  'time.After': 'chan time.Time',
  'time.Tick': 'chan time.Time',
  'time.Time.Add': 'time.Time',
  'time.Time.AddDate': 'time.Time',
  'time.Time.UTC': 'time.Time',
  'time.Time.Local': 'time.Time',
  'time.Time.In': 'time.Time',
  'time.Time.Truncate': 'time.Time',
  'time.Time.Round': 'time.Time',
  'time.Time.Sub': 'time.Duration',
  'time.Duration.Truncate': 'time.Duration',
  'time.Duration.Round': 'time.Duration',
  'time.Duration.Abs': 'time.Duration',
  'math/rand.New': 'math/rand.Rand',
  'math/rand/v2.New': 'math/rand/v2.Rand',
  'math/rand.NewSource': 'math/rand.Source',
  'net/http/httptest.NewTLSServer': 'net/http/httptest.Server',
  'net/http/httptest.NewUnstartedServer': 'net/http/httptest.Server',
  'net/http/httptest.NewRecorder': 'net/http/httptest.ResponseRecorder',
  'net/http/httptest.Server.Client': 'net/http.Client',
  'net/http.NewRequestWithContext': 'net/http.Request',
  'net.Listen': 'net.Listener',
  'crypto/tls.Listen': 'net.Listener',
  'net.ListenPacket': 'net.PacketConn',
  'net.ListenTCP': 'net.TCPListener',
  'net.ListenUDP': 'net.UDPConn',
  'net.Listener.Accept': 'net.Conn',
  'net.Dial': 'net.Conn',
  'net.DialTimeout': 'net.Conn',
  'net.Pipe': 'net.Conn',
  'crypto/tls.Dial': 'crypto/tls.Conn',
  'context.Background': 'context.Context',
  'context.TODO': 'context.Context',
  'context.WithTimeout': 'context.Context',
  'context.WithCancel': 'context.Context',
  'context.WithDeadline': 'context.Context',
  'context.WithValue': 'context.Context',
  'os/exec.Command': 'os/exec.Cmd',
  'os/exec.CommandContext': 'os/exec.Cmd',
  'os.Open': 'os.File',
  'os.Create': 'os.File',
  'os.OpenFile': 'os.File',
  'os.CreateTemp': 'os.File',
  'io/ioutil.TempFile': 'os.File',
  'database/sql.Open': 'database/sql.DB',
  'golang.org/x/sync/errgroup.WithContext': 'golang.org/x/sync/errgroup.Group',
  'log/slog.New': 'log/slog.Logger',
  'log.New': 'log.Logger',
  'github.com/stretchr/testify/require.New': 'github.com/stretchr/testify/require.Assertions',
  'github.com/stretchr/testify/assert.New': 'github.com/stretchr/testify/assert.Assertions',
  'github.com/stretchr/testify/suite.Suite.T': T,
  'github.com/stretchr/testify/suite.Suite.Require': 'github.com/stretchr/testify/require.Assertions',
  'github.com/stretchr/testify/suite.Suite.Assert': 'github.com/stretchr/testify/assert.Assertions',
  'github.com/onsi/gomega.NewWithT': 'github.com/onsi/gomega.WithT',
  'github.com/onsi/gomega.NewGomegaWithT': 'github.com/onsi/gomega.WithT',
  'github.com/onsi/ginkgo/v2.GinkgoT': 'github.com/onsi/ginkgo/v2.FullGinkgoTInterface',
  'github.com/onsi/ginkgo.GinkgoT': 'github.com/onsi/ginkgo.GinkgoTInterface',
  'github.com/sebdah/goldie/v2.New': 'github.com/sebdah/goldie/v2.Goldie',
  'github.com/matryer/is.New': 'github.com/matryer/is.I',
  'github.com/frankban/quicktest.New': 'github.com/frankban/quicktest.C',
  'github.com/jonboulle/clockwork.NewFakeClock': 'github.com/jonboulle/clockwork.FakeClock',
  'github.com/jonboulle/clockwork.NewFakeClockAt': 'github.com/jonboulle/clockwork.FakeClock',
  'github.com/benbjohnson/clock.NewMock': 'github.com/benbjohnson/clock.Mock',
  'github.com/coder/quartz.NewMock': 'github.com/coder/quartz.Mock',
  'github.com/nats-io/nats.go.Connect': 'github.com/nats-io/nats.go.Conn',
  'github.com/gofrs/flock.New': 'github.com/gofrs/flock.Flock',
  '?.T': T,
})

const GOMEGA_CHAIN =
  /^github\.com\/onsi\/gomega(?:\.(?:Gomega|WithT|Assertion|AsyncAssertion))?\.(?:(Expect|ExpectWithOffset|Ω)|Eventually\w*|Consistently\w*|WithTimeout|WithPolling|WithContext|WithArguments|Within|ProbeEvery|WithOffset)$/

/** What a call of this name gives, by its place among the results. */
export function resultOf(name: string, index: number, at: Place): string {
  if (name.endsWith('{}')) return name.slice(0, -2)
  const own = at.scope.functions.get(name)
  if (own) return own[index] ?? ''
  if (index > 0) return ''
  const known = RESULTS[name]
  if (known) return known
  const chain = GOMEGA_CHAIN.exec(name)
  if (chain) return `github.com/onsi/gomega.${chain[1] ? 'Assertion' : 'AsyncAssertion'}`
  // pkg.NewServer gives a pkg.Server, by custom.
  const made = /^(.*[/\w]\.)New([A-Z]\w*)$/.exec(name)
  return made && !made[1]!.startsWith('?') ? made[1]! + made[2]! : ''
}

/** The type of a lowered value; the node says what the value forgot. */
export function typeOf(node: Node, value: Value, at: Place, index = 0): string {
  switch (node.type) {
    case 'parenthesized_expression':
      return named(node)[0] ? typeOf(named(node)[0]!, value, at, index) : ''
    case 'unary_expression': {
      const operand = field(node, 'operand')
      if (!operand) return ''
      const operator = textOf(field(node, 'operator'), at.scope)
      if (operator === '<-') return operand.type === 'identifier' ? elementOf(lookup(at.env, textOf(operand, at.scope)) ?? '') : ''
      return operator === '&' || operator === '*' ? typeOf(operand, value, at, index) : ''
    }
    case 'type_assertion_expression':
    case 'type_conversion_expression':
    case 'composite_literal':
      return index === 0 ? typeName(field(node, 'type'), at.scope) : ''
    case 'func_literal':
      return 'func'
    case 'identifier':
    case 'selector_expression':
      return value.is === 'name' ? typeOfPath(value.path, at) : ''
    case 'index_expression':
      return value.is === 'op' && value.of[0]?.is === 'name' ? elementOf(typeOfPath(value.of[0].path, at)) : ''
    case 'call_expression':
      return callType(node, value, at, index)
    case 'binary_expression':
      return value.is === 'op'
          && value.of.some(v => v.is === 'name' && /^time\.(Nano|Micro|Milli)?[sS]econd$|^time\.(Minute|Hour)$/.test(v.path))
        ? 'time.Duration'
        : ''
    default:
      return ''
  }
}

function callType(node: Node, value: Value, at: Place, index: number): string {
  const callee = textOf(field(node, 'function'), at.scope)
  if (callee === 'make' || callee === 'new') return typeName(named(field(node, 'arguments') ?? node)[0], at.scope)
  // now.Add(d) is lowered to an operator, yet is a time.
  if (value.is === 'op') return value.op === '+' ? 'time.Time' : value.op === '-' ? 'time.Duration' : ''
  const call = value.is === 'call' ? at.unit.calls[value.call] : undefined
  return call ? resultOf(call.name, index, at) : ''
}

export function typeOfPath(path: string, at: Place): string {
  const parts = path.split('.')
  let type = lookup(at.env, parts[0]!) ?? ''
  for (const part of parts.slice(1)) type = type === '' ? '' : at.scope.fields.get(`${type}.${part}`) ?? ''
  return type
}
