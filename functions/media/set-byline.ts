import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { Line } from './schema.ts'

export const setByline = endpoint({
  route: 'POST /media/{id}/metadata/byline',
  summary: 'Set the byline of a file; the body is one JSON string',
  description:
    'The byline names the creator. The body is one JSON string; the empty one clears it. Needs WRITE on the file. ' +
    'Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: Line,
  returns: z.object({ byline: z.string().nullable() }).meta({ id: 'Byline', examples: [{ byline: 'Anna Berg' }] }),
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { media } = await editOne(library, params.id, () => ({ byline: body === '' ? null : body }))
    return { byline: media.byline }
  },
})
