import { importCancelled } from '../../shared/library/imports/end-replacement.ts'
import { importMedia as run } from '../../shared/library/imports/import-media.ts'
import { digestInRuns } from '../../shared/library/jobs/digest-in-runs.ts'
import { IMPORT_SECONDS, importJob, markDelayed } from '../../shared/library/media/importing.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const importMedia = job({
  kind: importJob,
  summary: 'Imports a finalized upload: digests, type, tags, metadata, facts of videos, renditions',
  uses: { table: 'write', uploads: 'consume', media: 'write', exiftool: 'use', renderer: 'use', videoProbe: 'use' },
  seconds: IMPORT_SECONDS,
  // On AWS unless the setting importConcurrency says another number.
  runs: 5,
  memoryMb: 3008,
  temporaryMb: 10_240,
  async run({ input: { mediaId }, job, ...library }) {
    return run(library, mediaId, { lastTry: job.isLastAttempt, digestObject: digestInRuns(library, job) })
  },
  failed: (library, { mediaId }) => markDelayed(library, mediaId),
  cancelled: (library, { mediaId }) => importCancelled(library, mediaId),
})
