import type { EventTable } from '../shared/runtime/consumer.ts'
import { indexMedia } from './events/index-media.ts'
import { noteServiceEvent } from './events/note-service-event.ts'
import { renderImage } from './events/render-image.ts'
import { startJobs } from './events/start-jobs.ts'
import { sweepUploads } from './events/sweep-uploads.ts'
import { wakeJobs } from './events/wake-jobs.ts'
import { indexChange } from './jobs/index-change.ts'
import { jobs } from './jobs.ts'

/**
 * Everything that no call of the API starts: jobs (jobs.ts), consumers of the table's change stream and of what services tell, schedules, origins of the CDN. Each key names the file and the
 * function: `import-media`.
 */
export const events = {
  ...jobs,
  'start-jobs': startJobs,
  'note-service-event': noteServiceEvent,
  'render-image': renderImage,
  'sweep-uploads': sweepUploads,
  'wake-jobs': wakeJobs,
} satisfies EventTable

/** The same of a deployed service whose search engine is OpenSearch. */
export const openSearchEvents = {
  ...events,
  'index-media': indexMedia,
  'index-change': indexChange,
} satisfies EventTable
