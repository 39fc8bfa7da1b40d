import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { getBulk as get } from '../../shared/library/bulk/request.ts'
import { BulkId, BulkState, bulkJson } from './schema.ts'

export const getBulk = endpoint({
  route: 'GET /bulk/{job_id}',
  summary: 'See how far a bulk change is, and which files were refused',
  description:
    'For the user who asked for it, and for admins of their company. A file is refused as `not_found` where the user may not see it, `forbidden` ' +
    'where they may not change it so, `not_in_folder` where it was not in the folder that it should leave, and `changed_since` where an undo finds ' +
    'that somebody changed the same; else by the code with which a change of it alone would be refused.',
  access: 'user',
  uses: { table: 'read' },
  params: { job_id: BulkId },
  returns: BulkState,
  refuses: ['not found'],
  async handle({ params, ...library }) {
    const { bulk, refusals } = await get(library, params.job_id)
    return bulkJson(bulk, refusals)
  },
})
