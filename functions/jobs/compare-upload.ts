import { digestInRuns } from '../../shared/library/jobs/digest-in-runs.ts'
import { compareUpload as compare, comparisonCancelled } from '../../shared/library/uploads/compare.ts'
import { compareJob } from '../../shared/library/uploads/part-upload.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const compareUpload = job({
  kind: compareJob,
  group: 'long-jobs',
  summary: 'Compares the MD5 of a large upload in parts, and makes a file of it',
  uses: { table: 'write', partUploads: 'join', uploads: 'consume' },
  // 100 GiB are read in two to four runs, and taken apart again where the MD5 is wrong.
  seconds: 900,
  runs: 5,
  memoryMb: 3008,
  run: ({ input, job, ...library }) => compare(library, input.uploadId, input.by, digestInRuns(library, job)),
  cancelled: (library, { uploadId }) => comparisonCancelled(library, uploadId),
})
