import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { listKeys } from '../../shared/library/accounts/api-keys.ts'
import { decryptApiSecret } from '../../shared/library/accounts/api-secrets.ts'
import { ApiKey } from './schema.ts'

export const listApiKeys = endpoint({
  route: 'GET /company/{id}/apikeys',
  summary: 'List the API keys of a company with their secrets, oldest first; admins only',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read', apiSecretsKey: 'read' },
  params: { id: CompanyIdText },
  returns: z.array(ApiKey),
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    requireAdmin(library, params.id)
    const keys = await listKeys(library, params.id)
    return Promise.all(
      keys.map(async ({ keyId, key, encryptedSecret, companyId }) => ({
        id: keyId,
        key,
        secret: await decryptApiSecret(library, key, encryptedSecret),
        companyId,
      })),
    )
  },
})
