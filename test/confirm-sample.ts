// Confirmations to print: made by the ladder from made-up behaviour.

import { toConfirmation, type Confirmation } from '../src/confirm/confirmation.ts'
import type { Situation } from '../src/confirm/protocols/known.ts'
import { climb, situationOf, type Behaviour } from './confirm-world.ts'

export function confirmationOf(behave: Behaviour, more: Partial<Situation> = {},
  about: Partial<Confirmation> & { readonly targetId?: string } = {}): Confirmation
{
  const { targetId, ...rest } = about
  const plain = situationOf(50, 40, more)
  const target = targetId === undefined ? plain.target : { ...plain.target, id: targetId, name: targetId }
  const situation = { ...plain, target, listed: plain.listed.map(t => (t === plain.target ? target : t)) }
  const { known } = climb(situation, behave)
  return {
    ...toConfirmation(known, {
      tool: { name: 'flakesniff', version: '1.2.3' },
      target,
      runner: { id: 'pytest', title: 'pytest', reasons: ['pytest.ini configures or names pytest'] },
      unavailable: [],
      environment: { dropped: ['API_TOKEN'], set: { CI: '1' } },
      warnings: [],
      ending: 'done',
      shard: null,
      retries: [],
      reveals: () => 'local time',
      commandOf: run => `pytest ${(run.ask.tests ?? []).map(t => t.id).join(' ')}`,
    }),
    ...rest,
  }
}
