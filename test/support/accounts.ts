import { argon2Sync, randomUUID } from 'node:crypto'
import { openLibrary } from '../../infra/admin/library/library.ts'
import type { OpenLibrary } from '../../infra/homes/open-library.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { createKey, type KeyGrant } from '../../shared/library/accounts/api-keys.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { userKey } from '../../shared/library/accounts/users.ts'
import { setGrants } from '../../shared/library/folders/grants.ts'
import { addAlias } from '../../shared/library/links/aliases.ts'
import type { Right } from '../../shared/library/tree/folder.ts'
import { type CompanyId, toFolderId, type UserId } from '../../shared/vocabulary/ids.ts'
import { by } from './library.ts'
import type { Service } from './service.ts'

const password = 'a long password'
/** Of that password, by the least that argon2id takes: tests make thousands of users. The service checks by the parameters that a hash names. */
const passwordHash = hashOf({ memory: 8, passes: 1, parallelism: 1 })

/** Makes what no endpoint makes (companies, users, keys, rights) in a running service, as the operator's command line does. */
export async function provisioning(service: Service) {
  if (!service.directory && !service.stack) throw new Error('accounts need a service of the test’s own, or a stack (SERVICE_STACK)')
  return accountsIn(service, await openLibrary({ stack: service.stack, environment: { DATA_DIR: service.directory } }))
}

export type Accounts = ReturnType<typeof accountsIn>

type Opened = Pick<OpenLibrary, 'table' | 'openUploads' | 'apiSecretsKey' | 'close'>

/** The same in a library that is already open. */
export function accountsIn(service: Service, { table, openUploads, apiSecretsKey, close }: Opened) {
  let opened: ReturnType<typeof openUploads> | undefined
  /** The `uploads` bucket, which is opened when something is stored there. */
  const uploads: Awaited<ReturnType<typeof openUploads>> = {
    async put(...object) {
      opened ??= openUploads()
      return (await opened).put(...object)
    },
  }
  const library = { table, apiSecretsKey, clock: systemClock, by }
  return {
    company: async (name: string) => (await openCompany(library, name)).companyId,
    /** @returns the user with the value of their `Authorization` header */
    async user(options: { companyId?: CompanyId; admin?: boolean; username?: string } = {}) {
      const { companyId = service.demo.company_id, admin = false, username = `user-${randomUUID()}` } = options
      const { userId } = await addUser(library, { companyId, username, fullname: username, admin })
      await table.update(userKey(userId), { set: { passwordHash } })
      return { userId, username, password, authorization: await service.signIn({ username, password }) }
    },
    key: async (grants: KeyGrant[], companyId = service.demo.company_id) => {
      const { record, secret } = await createKey(library, { companyId, grants })
      return { key: record.key, secret }
    },
    /** A CDN folder, with an alias of its own. */
    cdnFolder: async (companyId = service.demo.company_id) => {
      const { folderId, alias } = await addAlias(library, companyId, `alias-${randomUUID()}`, { name: 'CDN folder' })
      return { folderId, alias }
    },
    grant: (folderId: number, userId: UserId, rights: Right[]) => setGrants(library, toFolderId(folderId), userId, () => rights),
    library,
    table,
    uploads,
    close,
  }
}

/** A PHC string, as the service keeps it. */
function hashOf({ memory, passes, parallelism }: { memory: number; passes: number; parallelism: number }): string {
  const salt = Buffer.alloc(16)
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce: salt, memory, passes, parallelism, tagLength: 32 })
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}
