import { randomUUID } from 'node:crypto'
import { openLibrary } from '../../infra/admin/library.ts'
import type { DemoFile } from '../../infra/local/demo/demo.ts'
import { Access } from '../../shared/library/access/access.ts'
import { createKey } from '../../shared/library/accounts/api-keys.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { createFolder } from '../../shared/library/folders/folders.ts'
import { ensurePublicGallery, ensureTrashcan } from '../../shared/library/tree/system-folders.ts'

/** A company on a deployed stack like the demo's of a single machine: with an admin, a key that has all grants, and a folder. */
export async function newCompany(stack: string, baseUrl: string): Promise<DemoFile> {
  const { table, apiSecretsKey, clock, close } = await openLibrary({ stack, environment: {} })
  try {
    const { companyId } = await openCompany(table, clock, `Company ${randomUUID()}`)
    const [username, password] = [`admin-${randomUUID()}`, randomUUID()]
    const user = await addUser(table, clock, { companyId, username, fullname: 'Admin', password, admin: true })
    await ensurePublicGallery(table, clock, companyId)
    await ensureTrashcan(table, clock, companyId, user.userId)
    const { record, secret } = await createKey(table, apiSecretsKey, clock, { companyId, grants: ['downloads', 'password_reset'] })
    const access = new Access(table, { kind: 'user', user, keyId: 0 })
    const { folderId } = await createFolder({ table, clock }, access, { name: 'Products', parent: null })
    return {
      base_url: baseUrl,
      cdn_url: baseUrl,
      player_url: baseUrl,
      company_id: companyId,
      user_id: user.userId,
      username,
      password,
      api_key: record.key,
      api_secret: secret,
      folder_id: folderId,
    }
  } finally {
    close()
  }
}
