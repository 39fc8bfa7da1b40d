import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdJson, UserIdText } from '../../shared/http/declaration/fields.ts'
import { personOf } from '../../shared/library/accounts/people.ts'
import { changePerson } from '../../shared/library/people/change-person.ts'
import { MailAddress, NewFullName, Person, personJson } from '../company/person-schema.ts'

export const changeUser = endpoint({
  route: 'POST /user/{id}',
  summary: 'Change a person: as an admin of their company, or name and address of oneself',
  description:
    'What is absent stays. Who is disabled has no tokens and sessions any more, at once. 409 `last_admin` for the last admin who can sign in, 409 ' +
    '`other_company` for `email` and `disabled` of somebody who belongs to a further company, too. Another address ends the addresses for choosing a ' +
    'password that the former one got.',
  access: 'user',
  answeredBy: 'change-people',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: UserIdText },
  body: z
    .strictObject({
      fullname: NewFullName.optional(),
      email: MailAddress.nullable().optional().describe('null takes it away'),
      admin: z.boolean().optional().describe('whether they are admin of the company'),
      disabled: z.boolean().optional().describe('whether they are kept from signing in'),
      company_id: CompanyIdJson.optional().describe(
        'of which `admin` is meant; by default the first of theirs that the caller administers',
      ),
    })
    .meta({ id: 'PersonChangeInput', examples: [{ admin: true }] }),
  returns: Person,
  refuses: ['forbidden'],
  async handle({ params, body, baseUrl, ...library }) {
    const { company_id: wanted, ...change } = body
    const { user, companyId } = await changePerson(library, params.id, change, wanted)
    return personJson(await personOf(library, user, companyId), baseUrl)
  },
})
