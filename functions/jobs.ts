import type { JobTable } from '../shared/events/consumer.ts'
import { makeMaster } from './jobs/make-master.ts'
import { suggestKeywords } from './jobs/suggest-keywords.ts'

/** Every kind of job. Each key names the kind and its file: `jobs/suggest-keywords.ts`. */
export const jobs = {
  'make-master': makeMaster,
  'suggest-keywords': suggestKeywords,
} satisfies JobTable
