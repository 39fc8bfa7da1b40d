import { queueConsumer } from '../../shared/events/consumer.ts'
import { writeSnapshot } from '../../shared/library/index-snapshots/write-snapshot.ts'

export const snapshotIndex = queueConsumer({
  summary: "Brings a company's search index up to date and stores a compact copy, with which searches begin",
  trigger: { queue: 'snapshots', concurrency: 5 },
  uses: { table: 'write', snapshotFiles: 'write', indexWriter: 'use' },
  timeoutSeconds: 900,
  memoryMb: 3008,
  // The index and its copy.
  temporaryMb: 10_240,
  async handle({ message, ...library }) {
    await writeSnapshot(library, message)
  },
})
