import * as z from 'zod'
import { AnswerIsoTime, answerText, Name } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import type { Person as PersonRecord } from '../../shared/library/accounts/people.ts'
import { isAdminOf, isByProvider, isInvited, mailAddressOf } from '../../shared/library/accounts/users.ts'
import { isoTime } from '../../shared/library/time.ts'
import { asciiMailAddress } from '../../shared/vocabulary/mail-address.ts'
import { CompanyUser } from './schema.ts'

/** What admins see of a user besides. */
const details = {
  username: z.string().meta({ examples: ['anna@example.com'] }),
  email: answerText('anna@example.com').describe('where mail goes; null where it can go nowhere'),
  admin: z.boolean().describe('whether they are admin of this company'),
  disabled: z.boolean(),
  last_seen: AnswerIsoTime.nullable().describe('when they were here last, up to ten minutes later; null where they never were'),
  by_provider: z.boolean().describe('whether they sign on at a provider, and have no password'),
  invited: z.boolean().describe('whether they have not chosen a password yet'),
}

/** A user as admins see them. */
export const Person = CompanyUser.extend(details).meta({ id: 'Person' })

/** An entry of the list, which has all of it for admins who ask. */
export const ListedPerson = CompanyUser.extend(z.object(details).partial().shape).meta({ id: 'CompanyUser' })

export function personJson({ user, companyId, seen }: PersonRecord, baseUrl: string): z.input<typeof Person> {
  const { userId, fullname, username, email, disabled } = user
  return {
    ...{ id: userId, fullname, href: `${baseUrl}/user/${userId}`, username, email: email ?? mailAddressOf(user) ?? null },
    admin: isAdminOf(user, companyId),
    disabled,
    last_seen: seen === undefined ? null : isoTime(seen),
    by_provider: isByProvider(user),
    invited: isInvited(user),
  }
}

/** One bare e-mail address, kept with its domain in ASCII form. */
export const MailAddress = documentedAs(
  z
    .string()
    .trim()
    .transform((address, context) => {
      const ascii = asciiMailAddress(address)
      if (ascii !== undefined) return ascii
      context.addIssue('must be one e-mail address, like anna@example.com')
      return z.NEVER
    }),
  { type: 'string', format: 'email', maxLength: 254, examples: ['anna@example.com'] },
)

export const NewFullName = Name.meta({ examples: ['Anna Berg'] })
export const NewUsername = Name.meta({ examples: ['anna@example.com'] })

export const PasswordUrl = z.string().meta({
  format: 'uri',
  examples: ['https://library.example.com/authenticate/userpass/reset/confirm#code=kR8q2vYx'],
})
