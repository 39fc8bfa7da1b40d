import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Comment, FileNumberText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { noteFile as note } from '../../shared/library/versions/note-file.ts'
import { fileJson, MediaFile } from './file-schema.ts'

export const noteFile = endpoint({
  route: 'POST /media/{id}/files/{number}',
  summary: 'Say something of one of the files of a media record, or keep it for ever',
  description:
    'Of older files a company keeps as many as its operator says, and those that are pinned. What is not named stays. Needs WRITE on the file. ' +
    'The version stays, there is no event, and nothing of it in the history.',
  access: 'user',
  uses: { table: 'write', urls: 'sign' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText, number: FileNumberText },
  body: z
    .strictObject({
      comment: Comment.nullable().optional().describe('empty or null: is removed'),
      pinned: z.boolean().optional().describe('whether it is kept for ever'),
    })
    .default({})
    .meta({ id: 'MediaFileNoteInput', examples: [{ comment: 'The retouched one', pinned: true }] }),
  returns: MediaFile,
  refuses: ['forbidden', 'conflict'],
  async handle({ params: { id, number }, body, ...library }) {
    return fileJson(await note(library, id, number, body))
  },
})
