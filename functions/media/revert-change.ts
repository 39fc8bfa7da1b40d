import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText, VersionText } from '../../shared/http/declaration/fields.ts'
import { revertStep } from '../../shared/library/history/revert.ts'
import { Reverted } from './history-schema.ts'

export const revertChange = endpoint({
  route: 'POST /media/{id}/history/{version}/revert',
  summary: 'Put back what one step of a file has changed',
  description:
    'The fields that the step changed get the values that they had before, in one step. Where they have those already nothing happens, and the ' +
    'version stays. 409 `changed_since` where a later step changed one of them, which `changed` lists; `force` puts it back all the same. Of a file entry ' +
    'the number that was current before becomes the current one again (see `POST /media/{id}/files/{number}/restore`): 404 where it is gone, 409 ' +
    '`current_file` where it is current; `force` means nothing. 404 for a version that the history does not list. Needs WRITE on the file.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText, version: VersionText },
  body: z
    .strictObject({ force: z.boolean().default(false) })
    .default({ force: false })
    .meta({ id: 'RevertInput', examples: [{ force: true }] }),
  returns: Reverted,
  refuses: ['forbidden', 'conflict'],
  async handle({ params: { id, version }, body, ...library }) {
    return { version: await revertStep(library, id, version, body) }
  },
})
