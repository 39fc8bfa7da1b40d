import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { withEtag } from '../../shared/http/declaration/results.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { wholeFolderList } from '../folder/folder-list.ts'
import { ListedFolder } from '../folder/schema.ts'

export const listCompanyFolders = endpoint({
  route: 'GET /company/{id}/folders',
  summary: 'List the folders of a company that the caller can see, by name',
  description: "For members of the company: folders on which the caller has any right, with the caller's flags on each.",
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  returns: z.array(ListedFolder),
  askForLess: 'Ask `GET /folder` for a part: `company_id` with `parent` or `q`.',
  async handle({ params, ...library }) {
    requireMember(library, params.id)
    return withEtag(await library.access.folderVersions([params.id]), async () =>
      wholeFolderList(await library.access.rightsOnAll(params.id)),
    )
  },
})
