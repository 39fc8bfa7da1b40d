import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { personOf } from '../../shared/library/accounts/people.ts'
import { invitePerson } from '../../shared/library/people/invitations.ts'
import { MailAddress, NewFullName, NewUsername, PasswordUrl, Person, personJson } from './person-schema.ts'

export const createCompanyUser = endpoint({
  route: 'POST /company/{id}/users',
  summary: 'Add a person to a company; admins only',
  description:
    'With `email` a mail with an address for choosing a password goes there; it works once, and for a week. Without, the address is `password_url`, shown ' +
    'here alone. Nobody gets one in a company that signs in at its providers alone. Who belongs to no company any more is taken in again, without ' +
    'the password of before. 409 `user_exists` where there is a user of this name: names are unique in the whole service. Where mail can not be sent ' +
    'at the moment, the person is there all the same, and a job sends it later: `GET /company/{id}/failedjobs` tells of one that failed.',
  access: 'user',
  answeredBy: 'change-people',
  uses: { table: 'write' },
  idempotent: true,
  shownOnce: ['password_url'],
  params: { id: CompanyIdText },
  body: z
    .object({
      username: NewUsername,
      fullname: NewFullName,
      email: MailAddress.optional(),
      admin: z.boolean().default(false).describe('whether they become admin of the company'),
    })
    .meta({ id: 'NewPerson' }),
  returns: Person.extend({
    password_url: PasswordUrl.optional().describe('where they choose a password, once and within a week; where no mail was sent'),
  }).meta({ id: 'AddedPerson' }),
  refuses: ['forbidden'],
  async handle({ params, body, baseUrl, ...library }) {
    const { user, passwordUrl } = await invitePerson({ ...library, baseUrl }, { companyId: params.id, ...body })
    return { ...personJson(await personOf(library, user, params.id), baseUrl), password_url: passwordUrl }
  },
})
