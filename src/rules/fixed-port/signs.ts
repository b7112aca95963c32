import { type NamedPort } from '../../flow/ports/port-names.ts'
import { type ChosenPort } from '../../flow/ports/ports.ts'

/** Nobody counts ports, lists them, sets them on what is served or writes them into a configuration for anything but to listen. */
export const SURE: ReadonlySet<ChosenPort['how']> = new Set(['assigned', 'counter', 'list', 'text'])

/** A name alone says that it is a port: that somebody listens on it, something else must say. */
export const BY_NAME: ReadonlySet<NamedPort['how']> = new Set(['named', 'set'])

/** Outgoing connections get their ports from this range. */
export const handedOut = (port: number): string => (port >= 32_768 ? ', and the system hands it out to outgoing connections' : '')

export function sentence({ port, by, how }: ChosenPort): string {
  if (how === 'counter') return `${by} counts up from ${port}: another run on the same machine counts from there too`
  if (how === 'list') return `${by} holds the ports to choose from: whoever holds one of them already makes the test fail`
  return `${
    how === 'address' ? 'an address' : by
  } fixes port ${port} for something that the test starts: whoever holds it already makes it fail${handedOut(port)}`
}

export function guess({ port, by, how }: NamedPort): string {
  if (how === 'beside') return `takes the port ${port} above ${by}: nobody has looked whether that one is free`
  if (how === 'asked') return `${by} asks for port ${port}: whoever else on the machine listens there answers`
  if (how === 'dialled') return `goes to port ${port} of the machine: whether somebody listens there is up to the machine`
  return `${by} fixes port ${port} beforehand: whoever holds it already makes the test fail${handedOut(port)}`
}
