import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerFileNumber, Comment, FileNumberText, IfVersion, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { restoreFile as restore } from '../../shared/library/versions/restore-file.ts'
import { UnchangedFile } from './file-schema.ts'

export const restoreFile = endpoint({
  route: 'POST /media/{id}/files/{number}/restore',
  summary: 'Make a former file of a media record the current one again, under a new number',
  description:
    'The same bytes become current, and everything that comes of them with them; what users edited stays. Raises the version by one. Needs WRITE on the ' +
    'file. 409 `current_file` for the current number, 409 `not_available` for one whose import failed, 409 `trashed` for a file that is in trashcans ' +
    'alone. Where the current file has the same bytes nothing changes.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText, number: FileNumberText },
  body: z
    .strictObject({
      comment: Comment.optional().describe('of the new number'),
      if_version: IfVersion.optional().describe('only if the file has this version: else 412'),
    })
    .default({})
    .meta({ id: 'RestoreFileInput' }),
  returns: z
    .union([
      z
        .object({
          file_number: AnswerFileNumber,
          version: z
            .number()
            .int()
            .meta({ minimum: 1, examples: [4] }),
        })
        .meta({ id: 'RestoredFile' }),
      UnchangedFile,
    ])
    .meta({ id: 'RestoredOrUnchanged' }),
  refuses: ['forbidden', 'conflict'],
  async handle({ params: { id, number }, body: { comment, if_version: ifVersion }, ...library }) {
    const restored = await restore(library, id, number, { comment, ifVersion })
    return restored ? { file_number: restored.fileNumber, version: restored.version } : { media_id: id, unchanged: true as const }
  },
})
