import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { registerUpload as register } from '../../shared/library/uploads/uploads.ts'
import { MAX_FORM_BYTES } from '../../shared/settings.ts'
import { destination, destinationOf, GOES_NOWHERE, goesSomewhere } from './destination-schema.ts'
import { UploadForm, uploadFormJson } from './form-schema.ts'

const MAX_URL = 2_000

/** An empty one counts as none. */
const RedirectUrl = documentedAs(
  z
    .string()
    .max(MAX_URL)
    .refine((url) => url === '' || /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be an http or https URL'),
  { type: 'string', maxLength: MAX_URL, format: 'uri', pattern: '^https?://' },
)

export const registerUpload = endpoint({
  route: 'POST /upload/register',
  summary: 'Register an upload: the answer is a form to post the file with',
  description:
    'Needs WRITE on the folder, or upload access through a clique; on a CDN folder, which publishes the file, READ and WRITE. With `replaces` the ' +
    'file becomes the next version of that one, which needs WRITE on it, now and when the upload ends, by another than a read-only copy: `If-Match` is ' +
    'asked now, `if_version` then; 409 `importing`, and `trashed` where it is in trashcans alone. One of `folder` and `replaces` is needed. Post every field of the answer to `action` as ' +
    "`multipart/form-data`, in the order given, with the file as the last field `file`; the object key holds a placeholder for the file's " +
    'name. Storage answers with a redirect: follow it to finalize the upload. The form is good for an hour.',
  access: 'user',
  uses: { table: 'write', uploads: 'form' },
  idempotent: true,
  conditional: true,
  body: z
    .object({
      ...destination,
      redirectURL: RedirectUrl.nullish().describe(
        'where finalizing leads, with the query `media_id`, and `unchanged=true` where nothing changed',
      ),
    })
    .refine(goesSomewhere, GOES_NOWHERE)
    .meta({ id: 'NewUpload', examples: [{ folder: 1843027 }] }),
  returns: UploadForm,
  refuses: ['forbidden', 'not found'],
  async handle({ body, settings, baseUrl, ...library }) {
    const { uploadId, keyPrefix, expires } = await register(library, destinationOf(body), { redirectUrl: body.redirectURL || undefined })
    const redirect = `${baseUrl}/upload/finalize/${uploadId}`
    const maxBytes = Math.min(settings.maxUploadBytes, MAX_FORM_BYTES)
    return uploadFormJson(await library.uploads.uploadForm({ keyPrefix, minBytes: 0, maxBytes, expires, redirect }))
  },
})
