import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { permittedOnMedia } from '../../shared/library/access/explain.ts'
import { mediaWith } from '../../shared/library/media/find.ts'
import { AccessList, accessJson } from '../folder/access-schema.ts'

export const getMediaAccess = endpoint({
  route: 'GET /media/{id}/access',
  summary: 'List who has rights on a file, and why',
  description:
    'Everybody who has a right on the file by any folder that holds it, by name, with what gives it. A read-only pointer passes on the READ of ' +
    'its folder alone, but to admins of the company. Disabled users are left out. Needs WRITE on the file.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: AccessList,
  refuses: ['forbidden'],
  timeoutSeconds: 29,
  async handle({ params, ...library }) {
    const media = await mediaWith(library, 'WRITE', params.id)
    return accessJson(await permittedOnMedia(library, media))
  },
})
