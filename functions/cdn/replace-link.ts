import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText, Empty, FolderIdText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { cdnFolder } from '../../shared/library/links/find-links.ts'
import { replaceLinked } from '../../shared/library/links/replace-linked.ts'

export const replaceLink = endpoint({
  route: 'POST /cdn/{company}/folder/{folder}/replace/{old}/with/{new}',
  summary: 'Let a link show another file: its URL stays',
  description:
    "The new file takes the old one's place in the CDN folder. The old one leaves that folder; where no other folder holds it, it moves to the " +
    "caller's trashcan. Needs READ and WRITE on the CDN folder, and on a folder that holds the new file. 404 where nothing is linked under the " +
    'old id. Until all edges serve the new file, the state of the link is `replacing`.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { company: CompanyIdText, folder: FolderIdText, old: MediaIdText, new: MediaIdText.meta({ examples: [902377] }) },
  returns: Empty,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, ...library }) {
    const folder = await cdnFolder(library, params.company, params.folder)
    await replaceLinked(library, folder, params.old, params.new)
    return {}
  },
})
