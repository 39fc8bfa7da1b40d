import * as z from 'zod'
import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdJson, Name } from '../../shared/http/declaration/fields.ts'
import { MAX_SELECTED, requestSelectionZip } from '../../shared/library/zips/selection.ts'
import { ZipJob, zipJson } from './schema.ts'

export const createSelectionZip = endpoint({
  route: 'POST /zip-file',
  summary: 'Ask for a ZIP archive of files',
  description:
    'The archive holds the files as downloads deliver them, at its root; equal names are numbered. An id that comes twice counts once. The answer ' +
    'is a new job: poll it until it is DONE; users also get an e-mail. Files that are still being imported, or gone by the time they are ' +
    'listed, are left out. Needs READ on each file, or it is 404. The files belong to one company.',
  access: 'user or application',
  uses: { table: 'write' },
  idempotent: true,
  body: z
    .object({
      media_ids: z.array(MediaIdJson).min(1).max(MAX_SELECTED),
      name: Name.default('files').describe('of the archive, without extension'),
    })
    .meta({ id: 'SelectionZipInput' }),
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: ZipJob,
  refuses: ['forbidden', 'not found'],
  timeoutSeconds: 29,
  async handle({ body, requestId, ...library }) {
    return zipJson(await requestSelectionZip(library, body.media_ids, body.name, requestId))
  },
})
