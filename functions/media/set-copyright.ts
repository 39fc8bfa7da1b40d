import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { Line, MediaParams } from './schema.ts'

export const setCopyright = endpoint({
  route: 'POST /media/{id}/metadata/copyright',
  summary: 'Set the copyright of a file; the body is one JSON string',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  body: Line,
  returns: z.object({ copyright: z.string().nullable() }),
  async handle({ params, body, ...by }) {
    const { copyright } = await editOneAs(by, params.id, () => ({ copyright: body === '' ? null : body }))
    return { copyright }
  },
})
