import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerProviderId } from '../../shared/http/declaration/fields.ts'
import { listProviders } from '../../shared/library/accounts/providers.ts'

export const listSignOnProviders = endpoint({
  route: 'GET /session/sso',
  summary: 'List the providers where people can sign on',
  description: 'What a sign-in page shows besides its fields for a password. A browser goes to `start`.',
  access: 'anyone',
  uses: { table: 'read' },
  returns: z
    .object({
      providers: z.array(
        z
          .object({
            id: AnswerProviderId,
            name: z.string().meta({ examples: ['Acme'] }),
            start: z.url().meta({ examples: ['https://media.example.com/session/sso/7203311'] }),
          })
          .meta({ id: 'SignOnProvider' }),
      ),
    })
    .meta({ id: 'SignOnProviders' }),
  async handle({ baseUrl, ...library }) {
    const providers = await listProviders(library)
    return { providers: providers.map(({ providerId: id, name }) => ({ id, name, start: `${baseUrl}/session/sso/${id}` })) }
  },
})
