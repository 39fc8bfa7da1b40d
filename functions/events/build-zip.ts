import { queueConsumer } from '../../shared/events/consumer.ts'
import { outOfTimeAfter } from '../../shared/events/run-time.ts'
import { buildZip as build } from '../../shared/library/zips/build-zip.ts'
import { failZip } from '../../shared/library/zips/ending.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** Milliseconds after which a run leaves the remaining work to another message, so that other companies' zips take turns. */
const LONGEST_RUN = 30_000

export const buildZip = queueConsumer({
  summary: 'Makes a zip of a folder: lists the files, waits for downloads that must be prepared, assembles the archive on storage',
  trigger: { queue: 'zips', concurrency: 2 },
  uses: { table: 'writeByFolder', media: 'write', zips: 'send' },
  timeoutSeconds: 900,
  memoryMb: 1769,
  async handle({ message: { jobId, companyId }, receives, lastTry, zips, ...library }) {
    try {
      const left = await build(library, jobId, outOfTimeAfter(LONGEST_RUN))
      if (left) await zips.send({ jobId, companyId }, { ...left, group: companyGroup(companyId) })
    } catch (error) {
      library.log.error('a zip could not be made', { zip: jobId, receives, error })
      if (lastTry) await failZip(library, jobId, error)
      throw error
    }
  },
})
