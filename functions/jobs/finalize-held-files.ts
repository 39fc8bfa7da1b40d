import { heldFilesJob } from '../../shared/library/quota/held-files.ts'
import { finalizeHeld } from '../../shared/library/uploads/finalize-held.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds of one run: files of other companies have their turn then. */
const RUN_MS = 30_000
/** Seconds between two looks for room. */
const PAUSE_SECONDS = 60

export const finalizeHeldFiles = job({
  kind: heldFilesJob,
  group: 'short-jobs',
  summary: "Finalizes uploads that wait for room in their company's quota",
  uses: { table: 'write', uploads: 'read' },
  seconds: 60,
  async run({ companyId, ...library }) {
    const outOfTime = outOfTimeAfter(RUN_MS)
    if (!(await finalizeHeld(library, companyId, outOfTime))) return undefined
    return outOfTime() ? {} : { inSeconds: PAUSE_SECONDS }
  },
})
