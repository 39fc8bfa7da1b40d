import { buildZip as build } from '../../shared/library/zips/build-zip.ts'
import { failZip, zipCancelled } from '../../shared/library/zips/ending.ts'
import { zipJob } from '../../shared/library/zips/job.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds of one run: zips of other companies have their turn then. */
const RUN_MS = 30_000

export const buildZip = job({
  kind: zipJob,
  group: 'long-jobs',
  summary: 'Makes a zip of a folder: lists the files, waits for downloads that must be prepared, assembles the archive on storage',
  uses: { table: 'writeByFolder', media: 'write' },
  seconds: 900,
  runs: 2,
  memoryMb: 1769,
  run: ({ input: { zip }, ...library }) => build(library, zip, outOfTimeAfter(RUN_MS)),
  failed: (library, { zip }, error) => failZip(library, zip, error),
  cancelled: (library, { zip }) => zipCancelled(library, zip),
})
