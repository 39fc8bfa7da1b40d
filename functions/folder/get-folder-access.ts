import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { permittedOnFolder } from '../../shared/library/access/explain.ts'
import { flagsOf } from '../../shared/library/access/flags.ts'
import { AccessList, accessJson } from './access-schema.ts'

export const getFolderAccess = endpoint({
  route: 'GET /folder/{id}/access',
  summary: 'List who has rights on a folder, and why',
  description:
    'Everybody who has a right on the folder, by name, with what gives it: grants and shares of the folder and of those above it, and being ' +
    'admin of the company. Disabled users are left out. Needs ADMIN on the folder.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: FolderIdText },
  returns: AccessList,
  refuses: ['forbidden'],
  timeoutSeconds: 29,
  async handle({ params, ...library }) {
    const { folder, permitted } = await permittedOnFolder(library, params.id)
    return accessJson(permitted, (rights) => flagsOf({ record: folder, rights }))
  },
})
