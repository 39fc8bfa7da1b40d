import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { requestUndo } from '../../shared/library/bulk/request.ts'
import { BulkId, BulkJob } from './schema.ts'

export const undoBulk = endpoint({
  route: 'POST /bulk/{job_id}/undo',
  summary: 'Put back what a bulk change has changed',
  description:
    'Within 24 hours after its end. What nobody changed since goes back to what it was, in one more version of each file; the rest is refused as ' +
    '`changed_since`. The answer is the job of the undo, which cannot be undone itself. For the user who asked for the change, and for admins of ' +
    'their company, with the rights that the caller has then. 409 with the code `already_undone`, `bulk_pending`, `undo_expired` or `not_undoable`.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { job_id: BulkId },
  returns: BulkJob,
  refuses: ['not found', 'conflict'],
  async handle({ params, ...library }) {
    const { bulkId } = await requestUndo(library, params.job_id)
    return { job_id: bulkId }
  },
})
