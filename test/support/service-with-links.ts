import { mediaKey, type StoredMedia } from '../../shared/library/media/keys.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'
import { type Person, serviceWithAccounts } from './service-with-accounts.ts'
import { uploadAndImport } from './uploading.ts'

/** A service with a company that publishes, for all tests of the file that calls this. Files are made by its admin. */
export async function serviceWithLinks() {
  const { accounts, person, service } = await serviceWithAccounts()
  const company = await accounts.company('Company')
  const admin = await person({ companyId: company, admin: true })

  /** What somebody does, as its status. */
  const as = ({ client }: Person) => ({
    copy: async (id: number, folderId: number) => (await client['copy-media']({ params: { id, folderId } })).status,
    move: async (id: number, from: number, to: number) => (await client['move-media']({ params: { id }, body: { from, to } })).status,
    setFolders: async (id: number, ...folders: number[]) =>
      (await client['replace-media-folders']({ params: { id }, body: folders.map((group_id) => ({ group_id })) })).status,
    remove: async (id: number, folderId: number) => (await client['remove-media']({ params: { id, folderId } })).status,
    trash: async (id: number, folderId: number) => (await client['move-media-to-trash']({ params: { id, folderId } })).status,
    replace: async (folder: number, old: number, by: number, of: number = company) =>
      (await client['replace-link']({ params: { company: of, folder, old, new: by } })).status,
    link: (folder: number, media: number, of: number = company) => client['get-link']({ params: { company: of, folder, media } }),
    trashcan: async () => (await client['list-folders']({})).body.find(({ permissions }) => permissions.groups.includes('TRASH'))?.id,
  })

  return {
    ...{ accounts, person, service, company, admin, as },
    member: () => person({ companyId: company }),
    async folder(parent: number | null = null): Promise<number> {
      return (await admin.client['create-folder']({ body: { name: 'Folder', parent, company_id: company } })).body.id
    },
    async file(folder: number): Promise<number> {
      return Number((await uploadAndImport(admin.client, folder, Buffer.from('text'), 'text.txt')).id)
    },
    /** The URL of a file's link in a folder; undefined where it has none. */
    async url(folder: number, id: number): Promise<string | undefined> {
      const { status, body } = await as(admin).link(folder, id)
      return status === 200 ? (body.url ?? 'not known yet') : undefined
    },
    /** The links that a file's record tells, the oldest first. */
    async linksOf(id: number) {
      return (await accounts.table.get<StoredMedia>(mediaKey(toMediaId(id))))?.links ?? []
    },
  }
}
