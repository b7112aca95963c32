// What is known of one version of a document.

import type { Finding } from '../../index.ts'
import type { Answers, Job } from './jobs.ts'

export interface Looked {
  readonly job: Job
  readonly findings: readonly Finding[]
  /** Asked for once, when an action needs it. */
  silencings?: Promise<Answers['silence']>
}
