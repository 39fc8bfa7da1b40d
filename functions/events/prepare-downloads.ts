import { queueConsumer } from '../../shared/events/consumer.ts'
import { prepareDownloads as prepare } from '../../shared/library/downloads/prepare-many.ts'

export const prepareDownloads = queueConsumer({
  summary: "Prepares downloads: writes the library's metadata into copies of files",
  trigger: { queue: 'downloads', concurrency: 10 },
  uses: { table: 'write', media: 'write', exiftool: 'use' },
  timeoutSeconds: 900,
  // Two processors: one file is written while another one is read or stored.
  memoryMb: 3008,
  // The largest file, its copy, and the ordinary ones beside it.
  temporaryMb: 5120,
  async handle({ message: { mediaIds }, ...library }) {
    await prepare(library, mediaIds)
  },
})
