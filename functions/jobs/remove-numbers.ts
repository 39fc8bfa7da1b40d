import { IMPORT_SECONDS } from '../../shared/library/media/importing.ts'
import { removeStored, storedRemovalJob } from '../../shared/library/media/stored-removal.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const removeNumbers = job({
  kind: storedRemovalJob,
  group: 'long-jobs',
  summary:
    'Removes what is stored of deleted numbers of a file, where no other number has the same bytes, and of replacements that became no number',
  uses: { table: 'write', media: 'write', uploads: 'remove' },
  seconds: 60,
  runs: 5,
  async run({ input: { mediaId, stored, uploadKey }, companyId, job: { cursor }, ...library }) {
    for (const each of stored) await removeStored(library, { companyId, mediaId, ...(each !== null && { stored: each }) })
    if (uploadKey === undefined) return undefined
    await library.uploads.delete([uploadKey])
    // A run of the import that has lost its job may store something until then, and die before it removes that.
    return cursor === undefined ? { inSeconds: IMPORT_SECONDS, cursor: 'second run' } : undefined
  },
})
