import { job } from '../../shared/events/consumer.ts'
import { Conflict } from '../../shared/library/errors.ts'
import { importMedia as run } from '../../shared/library/imports/import-media.ts'
import { importJob } from '../../shared/library/media/import-job.ts'
import { markDelayed } from '../../shared/library/media/importing.ts'

export const importMedia = job({
  kind: importJob,
  summary: 'Imports a finalized upload: digests, type, tags, metadata, facts of videos, renditions',
  uses: { table: 'write', uploads: 'consume', media: 'write', exiftool: 'use', renderer: 'use', videoProbe: 'use' },
  seconds: 900,
  // On AWS unless the setting importConcurrency says another number.
  runs: 5,
  memoryMb: 3008,
  temporaryMb: 10_240,
  async run({ input: { mediaId }, job: { isLastAttempt }, ...library }) {
    try {
      await run(library, mediaId, isLastAttempt)
    } catch (error) {
      if (isLastAttempt) await markDelayed(library, mediaId)
      throw error
    }
    return undefined
  },
  async cancelled() {
    throw new Conflict('Nothing else would import the file. Delete it instead: then its import ends.')
  },
})
