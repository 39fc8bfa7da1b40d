import { prepareDownloads as prepare } from '../../shared/library/downloads/prepare.ts'
import { copiesJob } from '../../shared/library/media/copy-job.ts'
import { job } from '../../shared/runtime/consumer.ts'

/** What the making of copies takes. */
export const copying = {
  group: 'long-jobs',
  uses: { table: 'write', media: 'write', exiftool: 'use' },
  seconds: 900,
  runs: 10,
  // Two processors: one file is written while another one is read or stored.
  memoryMb: 3008,
  // The largest file, its copy, and the ordinary ones beside it.
  temporaryMb: 5120,
} as const

export const prepareDownloads = job({
  ...copying,
  kind: copiesJob,
  summary: "Prepares downloads: writes the library's metadata into copies of files",
  async run({ input: { mediaIds, size }, ...library }) {
    await prepare(library, mediaIds, size)
    return undefined
  },
})
