import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { Line } from './schema.ts'

export const setCopyright = endpoint({
  route: 'POST /media/{id}/metadata/copyright',
  summary: 'Set the copyright of a file; the body is one JSON string',
  description: 'The body is one JSON string; the empty one clears it. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: Line,
  returns: z.object({ copyright: z.string().nullable() }).meta({ id: 'Copyright', examples: [{ copyright: 'Example Ltd' }] }),
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { media } = await editOne(library, params.id, () => ({ copyright: body === '' ? null : body }))
    return { copyright: media.copyright }
  },
})
