// The closed list of what an API can do to determinism, and what cures it. Adding a kind is a design decision;
// adding an API is a row in a language's catalog.

export const EFFECTS = [
  // Sources: an outcome that depends on one of these depends on more than the code.
  'clock', // reads the wall clock
  'mono', // reads a monotonic clock or measures elapsed time
  'elapsed', // gives a duration between now and an earlier instant
  'sleep', // waits a time, not for a thing
  'yield', // lets other threads run for a turn that nobody promises
  'random', // draws from a generator
  'unordered', // gives things in no promised order
  'fs-order', // lists a folder in no promised order
  'network', // talks to a host
  'bind-port', // listens on an address
  'env-write', // changes the process environment
  'cwd-write', // changes the working directory
  'global-write', // changes other state of the whole process: locale, time zone, hooks, standard streams
  'process-id', // the id of this process or thread
  'local-zone', // converts by the host's time zone
  'locale', // formats, compares or parses by the host's locale
  'rows', // gives rows of a query in no promised order
  'completion', // gives results in the order in which they finish
  'identity', // gives an address, an identity hash or a text that holds one
  'free-port', // picks a port that is free now and binds it later
  'cwd-read', // asks for the working directory
  'home-read', // asks for the home directory
  'ambient', // asks the host: processors, memory, user, host name, terminal, environment
  'usage', // measures memory, threads, goroutines, handles
  'external', // fetches or starts something by a name that can change: image, package
  // Where a value matters.
  'name-resource', // makes or opens a thing by name: database, schema, topic, file, folder
  'snapshot', // compares with a recorded output
  'log', // prints or logs: never a sink
  'timeout', // gives something a time limit
  'exit', // ends the process; noted `thread`, no more than the thread it runs in
  // Waiting.
  'sync', // waits until another thread or task says so: latch, join, channel, future
  'sync-timed', // the same with a time limit, and tells whether it was reached
  'wait-until', // polls for a condition with a limit: the cure of sleeping
  'wait-event', // waits for the next event of a kind: one that was before does not count
  'promise', // gives a promise, future or task that somebody must wait for
  'ui-read', // reads a page or screen once, as it is now
  'idle-wait', // waits until a page or network is quiet
  'start', // starts something that goes on by itself: container, service, process
  'observe', // reads once what such a thing has left so far: log, output, state
  'spawn', // runs what it is given elsewhere: thread, task, timer, process
  'stub', // makes a stand-in whose body simulates something
  'inline', // runs the closure it is given right here, once
  // State that outlives the test.
  'mock', // replaces a function, object or module until it is put back
  'opens', // opens what somebody must close: server, process, folder, connection
  'closes', // closes such a thing
  // Cures.
  'seed', // makes a generator from a seed, or seeds it
  'fake-clock', // replaces the clock
  'real-clock', // undoes that
  'fake-net', // replaces the network
  'restore', // puts changed state back
  'serialise', // takes a lock shared by the tests
  'temp-dir', // gives a folder or name of the test's own
  'unique-id', // gives an id that no other call gives: uuid, counter
  'sort', // gives a promised order
  'property', // runs a property-based or fuzz test
] as const

export type EffectKind = (typeof EFFECTS)[number]

export interface Effect {
  readonly kind: EffectKind
  /** sleep, timeout, sync-timed: how long, where it can be told. */
  readonly ms?: number
  /** Which argument matters (a duration, a name, a seed, a port); -1 is the receiver. */
  readonly arg?: number | string
  /** What a bare number in the duration's place counts, in milliseconds. */
  readonly unitMs?: number
  /** name-resource: what is named. */
  readonly what?: string
  /** True where the effect comes through a helper of this file rather than from the catalog. */
  readonly through?: string
  readonly note?: string
}
