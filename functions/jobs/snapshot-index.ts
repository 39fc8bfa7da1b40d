import { snapshotJob } from '../../shared/library/index-snapshots/job.ts'
import { writeSnapshot } from '../../shared/library/index-snapshots/write-snapshot.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const snapshotIndex = job({
  kind: snapshotJob,
  group: 'long-jobs',
  summary: "Brings a company's search index up to date and stores a compact copy, with which searches begin",
  uses: { table: 'write', snapshotFiles: 'write', indexWriter: 'use' },
  seconds: 900,
  runs: 5,
  memoryMb: 3008,
  // The index and its copy.
  temporaryMb: 10_240,
  async run({ input, companyId, ...library }) {
    return writeSnapshot(library, companyId, input)
  },
})
