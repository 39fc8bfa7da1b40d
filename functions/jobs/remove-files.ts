import { fileRemovalJob } from '../../shared/library/media/remove-files.ts'
import { removeStoredFiles } from '../../shared/library/removals/file.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const removeFiles = job({
  kind: fileRemovalJob,
  group: 'long-jobs',
  summary: 'Removes everything stored of files once their last pointers are gone, and what is prepared of them',
  uses: { table: 'write', media: 'write', uploads: 'remove' },
  // On one machine it runs in the server: it waits for the disk.
  seconds: 60,
  runs: 5,
  async run({ input: { files }, companyId, ...library }) {
    await removeStoredFiles(library, companyId, files)
    return undefined
  },
})
