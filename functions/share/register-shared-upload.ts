import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { sharedFinalizeUrl } from '../../shared/http/declaration/share-link.ts'
import { folderForSending } from '../../shared/library/shares/share.ts'
import { registerUpload as register } from '../../shared/library/uploads/uploads.ts'
import { MAX_FORM_BYTES } from '../../shared/settings.ts'
import { notReplacing } from '../upload/destination-schema.ts'
import { UploadForm, uploadFormJson } from '../upload/form-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingForms } from './visiting.ts'

export const registerSharedUpload = endpoint({
  route: 'POST /s/{secret}/upload/register',
  summary: 'Register an upload by a share link: the answer is a form to post the file with',
  description:
    'Into the shared folder, so it needs a link with `allow.upload`, and WRITE or UPLOAD of its maker: else 403. Post the form as one of ' +
    "`POST /upload/register`; storage redirects to the address that finalizes it. The file is the maker's, with `uploaded_via`. 409 `share_full` " +
    'where the link has no room for another file, or half of those that it takes are open from the same source.',
  ...byShareLink,
  ...sendingForms,
  params: secretParam,
  body: z.object(notReplacing).optional().meta({ id: 'NewSharedForm' }),
  returns: UploadForm,
  refuses: ['conflict'],
  async handle({ params: { secret }, settings, baseUrl, ...library }) {
    const share = { ...library.share, limits: settings, sourceAddress: library.sourceAddress }
    const { uploadId, keyPrefix, expires, maxBytes } = await register(library, { folderId: folderForSending(share) }, { share })
    const redirect = sharedFinalizeUrl(baseUrl, secret, uploadId)
    const largest = Math.min(settings.maxUploadBytes, MAX_FORM_BYTES, maxBytes)
    return uploadFormJson(await library.uploads.uploadForm({ keyPrefix, minBytes: 0, maxBytes: largest, expires, redirect }))
  },
})
