import type { EventFunction } from '../shared/events/consumer.ts'
import { expireTrash } from './events/expire-trash.ts'
import { finishRemoval } from './events/finish-removal.ts'
import { importMedia } from './events/import-media.ts'
import { removeMediaObjects } from './events/remove-media-objects.ts'
import { sendMail } from './events/send-mail.ts'
import { startJobs } from './events/start-jobs.ts'
import { sweepJobs } from './events/sweep-jobs.ts'
import { sweepUploads } from './events/sweep-uploads.ts'

/** Everything that no HTTP call starts: queue consumers, consumers of the table's change stream, schedules. Each name names its file and function. */
export const events: readonly EventFunction[] = [
  startJobs,
  importMedia,
  removeMediaObjects,
  finishRemoval,
  sendMail,
  expireTrash,
  sweepJobs,
  sweepUploads,
]
