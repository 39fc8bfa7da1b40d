import { randomUUID } from 'node:crypto'
import { openLibrary } from '../../infra/admin/library/library.ts'
import type { DemoFile } from '../../infra/local/demo/demo.ts'
import { createKey } from '../../shared/library/accounts/api-keys.ts'
import { setStock, setStreaming } from '../../shared/library/accounts/companies.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { createFolder } from '../../shared/library/folders/folders.ts'
import { addAlias } from '../../shared/library/links/aliases.ts'
import { ensurePublicGallery, ensureTrashcan } from '../../shared/library/tree/system-folders.ts'
import { by, callerOf, requestOf } from './library.ts'

/** A company on a deployed stack like the demo's of a single machine: with an admin, a key that has all grants, a folder, and a CDN folder. */
export async function newCompany(stack: string, baseUrl: string): Promise<DemoFile> {
  const { need, outputsOf } = await import('../../infra/aws/library/stack.ts')
  const outputs = await outputsOf(stack)
  const [cdnUrl, playerUrl] = [need(outputs, 'CdnUrl', stack), need(outputs, 'PlayerUrl', stack)]
  const open = await openLibrary({ stack, environment: {} })
  const library = { ...open, by }
  try {
    const { companyId } = await openCompany(library, `Company ${randomUUID()}`)
    const [username, password] = [`admin-${randomUUID()}`, randomUUID()]
    const user = await addUser(library, { companyId, username, fullname: 'Admin', password, admin: true })
    await setStreaming(library, companyId, true)
    await setStock(library, companyId, true)
    await ensurePublicGallery(library, companyId)
    await ensureTrashcan(library, companyId, user.userId)
    const { record, secret } = await createKey(library, { companyId, grants: ['downloads', 'password_reset'] })
    const { folderId } = await createFolder(requestOf(library, callerOf(user)), { name: 'Products', parent: null })
    const cdn = await addAlias(library, companyId, `alias-${randomUUID()}`, { name: 'CDN' })
    return {
      base_url: baseUrl,
      cdn_url: cdnUrl,
      player_url: playerUrl,
      company_id: companyId,
      user_id: user.userId,
      username,
      password,
      api_key: record.key,
      api_secret: secret,
      folder_id: folderId,
      cdn_folder_id: cdn.folderId,
      cdn_alias: cdn.alias,
    }
  } finally {
    open.close()
  }
}
