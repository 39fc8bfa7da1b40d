import type { Command } from 'commander'
import { addUser } from '../../../shared/library/accounts/provision.ts'
import { isAdminOf, listUsers, mailAddressOf, setPassword, type UserRecord } from '../../../shared/library/accounts/users.ts'
import { joinCompany } from '../../../shared/library/people/join-company.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany, needUser } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId, mailAddress, name, password } from '../values.ts'
import { mailWarning, userEmailCommand } from './user-email.ts'
import { userEndCommands } from './user-end.ts'
import { userRecordCommands } from './user-record.ts'

interface NewUser {
  company: CompanyId
  username: string
  fullname: string
  email?: string
  password: string
  admin?: boolean
}

const USERNAME = ['--username <name>', 'name that the user signs in with', name] as const
const PASSWORD = ['--password <password>', '8 characters or more; - takes the first line of standard input'] as const

/** `user create`, `list`, `show`, `rename`, `disable`, `enable`, `delete`, `set-password`, `set-email`, `join` */
export function userCommands(program: Command, console: Console): void {
  const user = noun(program, 'user', 'people who sign in')

  verb(user, 'create', 'make a user; without --admin they have no right on any folder until they are given one', [
    'user create --company 42 --username anna --fullname "Anna Berg" --password - < password.txt',
    'user create --company 42 --username anna --email anna@example.com --fullname "Anna Berg" --password - < password.txt',
    'user create --company 42 --username boss --fullname "The Boss" --password - --admin < password.txt',
  ])
    .requiredOption('--company <id>', "the user's company", companyId)
    .requiredOption(...USERNAME)
    .requiredOption('--fullname <name>', 'name that others see', name)
    .requiredOption(...PASSWORD)
    .option(
      '--email <address>',
      'where e-mail goes, such as the link for a new password; the username where that is an address',
      mailAddress,
    )
    .option('--admin', 'make them admin of the company')
    .action(
      act<NewUser>(console, async (library, options) => {
        const { company: companyId, username, fullname, email, admin = false } = options
        await needCompany(library, companyId)
        const input = { companyId, username, fullname, email, admin, password: await password(options.password, console) }
        const made = await addUser(library, input)
        const address = mailAddressOf(made)
        const json = { user_id: made.userId, username: made.username, company_id: companyId, admin, ...(address && { email: address }) }
        const text = `Made ${admin ? 'admin' : 'user'} ${made.username} (${made.userId}) in company ${companyId}.`
        return { json, text, warning: mailWarning(made) }
      }),
    )

  verb(user, 'list', 'list the users of a company', ['user list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const users = (await listUsers(library, company)).map((record) => userJson(record, company))
        users.sort((a, b) => a.username.localeCompare(b.username, 'en'))
        const rows = users.map((one) => [one.user_id, one.username, one.fullname, one.email ?? '', roles(one), one.created])
        return { json: users, text: textTable(['ID', 'USERNAME', 'FULL NAME', 'E-MAIL', 'STATE', 'CREATED (UTC)'], rows) }
      }),
    )

  userRecordCommands(user, console)
  userEmailCommand(user, console)

  userEndCommands(user, console)

  verb(user, 'set-password', "set a user's password; their tokens are invalid at once", [
    'user set-password --username anna --password - < password.txt',
  ])
    .requiredOption(...USERNAME)
    .requiredOption(...PASSWORD)
    .action(
      act<{ username: string; password: string }>(console, async (library, options) => {
        const { userId, username } = await needUser(library, options.username)
        await setPassword(library, userId, await password(options.password, console))
        return { json: { user_id: userId }, text: `Set the password of ${username} (${userId}).` }
      }),
    )

  verb(user, 'join', 'make a user member of a further company, without rights there', ['user join --username anna --company 43'])
    .requiredOption(...USERNAME)
    .requiredOption('--company <id>', 'the further company', companyId)
    .action(
      act<{ username: string; company: CompanyId }>(console, async (library, { username, company }) => {
        const { userId } = await needUser(library, username)
        await needCompany(library, company)
        const { companies } = await joinCompany(library, userId, company)
        const ids = companies.map(({ companyId }) => companyId)
        return { json: { user_id: userId, companies: ids }, text: `${username} (${userId}) belongs to companies ${ids.join(', ')}.` }
      }),
    )
}

function userJson(user: UserRecord, companyId: CompanyId) {
  const { userId, username, fullname, disabled, created } = user
  const admin = isAdminOf(user, companyId)
  const email = mailAddressOf(user) ?? null
  return { user_id: userId, username, fullname, email, company_id: companyId, admin, disabled, created: timestamp(created) }
}

function roles({ admin, disabled }: { admin: boolean; disabled: boolean }): string {
  return [admin ? 'admin' : 'user', ...(disabled ? ['disabled'] : [])].join(', ')
}
