import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { requestZip } from '../../shared/library/zips/request.ts'
import { zipUrl } from '../../shared/library/zips/zip.ts'
import { ZipJob, zipJson } from './schema.ts'

export const createZip = endpoint({
  route: 'POST /folder/{id}/zip-file',
  summary: 'Ask for a ZIP archive of a folder and all below it, as far as the caller may READ it',
  description:
    'The archive holds the files as downloads deliver them. The answer is a job: poll it until it is DONE; users also get an e-mail. ' +
    'While the job is PENDING, and for 24 hours after that while nothing of what is in the archive has changed, the same caller gets the ' +
    'same job. Needs READ on the folder, or on one below it.',
  access: 'user or application',
  uses: { table: 'writeByFeed', media: 'read', urls: 'sign' },
  idempotent: true,
  params: { id: FolderIdText },
  returns: ZipJob,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, requestId, ...library }) {
    const zip = await requestZip(library, params.id, requestId)
    return zipJson(zip, await zipUrl(library, zip))
  },
})
