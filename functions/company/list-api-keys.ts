import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { listKeys } from '../../shared/library/accounts/api-keys.ts'
import { decryptApiSecret } from '../../shared/library/accounts/api-secrets.ts'
import { ApiKey, CompanyParams } from './schema.ts'

export const listApiKeys = endpoint({
  route: 'GET /company/{id}/apikeys',
  summary: 'List the API keys of a company with their secrets, oldest first; admins only',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read', apiSecretsKey: 'read' },
  params: CompanyParams,
  returns: z.array(ApiKey),
  refuses: ['forbidden'],
  async handle({ params, caller, table, apiSecretsKey }) {
    requireAdmin(new Access(table, caller), params.id)
    const keys = await listKeys(table, params.id)
    return Promise.all(
      keys.map(async ({ keyId, key, encryptedSecret, companyId }) => ({
        id: keyId,
        key,
        secret: await decryptApiSecret(apiSecretsKey, key, encryptedSecret),
        companyId,
      })),
    )
  },
})
