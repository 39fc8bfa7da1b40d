import type { Command } from 'commander'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { findCompany } from '../../../shared/library/accounts/companies.ts'
import { addUser } from '../../../shared/library/accounts/provision.ts'
import { renameUser } from '../../../shared/library/accounts/rename-user.ts'
import {
  enableUser,
  isAdminOf,
  listUsers,
  mailAddressOf,
  setEmail,
  setPassword,
  type UserRecord,
} from '../../../shared/library/accounts/users.ts'
import { joinCompany } from '../../../shared/library/people/join-company.ts'
import { deleteUser } from '../../../shared/library/removals/user.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { requireConfirmation, YES } from '../../homes/confirmation.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { explainLastAdmin, needCompany, needUser } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId, mailAddress, name, password, WrongUsage } from '../values.ts'

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

interface Rename {
  username: string
  newUsername?: string
  fullname?: string
}

/** `user show`, `user rename` */
function userRecordCommands(user: Command, console: Console): void {
  verb(user, 'show', 'show a user with their companies', ['user show --username anna', 'user show --username anna --json'])
    .requiredOption(...USERNAME)
    .action(
      act<{ username: string }>(console, async (library, options) => {
        const user = await needUser(library, options.username)
        const { userId, username, fullname, companies, disabled, created } = user
        const email = mailAddressOf(user) ?? null
        const memberships = await Promise.all(
          companies.map(async ({ companyId, admin }) => {
            const company = await findCompany(library, companyId)
            return { company_id: companyId, name: company?.name ?? null, admin }
          }),
        )
        const json = { user_id: userId, username, fullname, email, companies: memberships, disabled, created: timestamp(created) }
        const lines = [
          `id         ${userId}`,
          `username   ${username}`,
          `full name  ${fullname}`,
          `e-mail     ${email ?? 'none: no new password can be mailed'}`,
          `state      ${disabled ? 'disabled' : 'active'}`,
          `created    ${json.created} (UTC)`,
          ...memberships.map((one) => `company    ${one.company_id}, ${one.name}${one.admin ? ' (admin)' : ''}`),
        ]
        return { json, text: lines.join('\n') }
      }),
    )

  verb(user, 'rename', 'change the username, the full name, or both; tokens stay valid', [
    'user rename --username anna --new-username anna@example.com',
    'user rename --username anna --fullname "Anna Berg-Holm"',
  ])
    .requiredOption('--username <name>', 'name that the user signs in with until now', name)
    .option('--new-username <name>', 'name that the user signs in with from now on', name)
    .option('--fullname <name>', 'name that others see', name)
    .action(
      act<Rename>(console, async (library, { username, newUsername, fullname }) => {
        if (newUsername === undefined && fullname === undefined) throw new WrongUsage('give --new-username, --fullname or both')
        const { userId } = await needUser(library, username)
        const names = { ...(newUsername !== undefined && { username: newUsername }), ...(fullname !== undefined && { fullname }) }
        const renamed = await renameUser(library, userId, names)
        const json = { user_id: userId, username: renamed.username, fullname: renamed.fullname }
        return { json, text: `User ${userId} is ${renamed.username}, ${renamed.fullname}.`, warning: mailWarning(renamed) }
      }),
    )
}

/** `user set-email` */
function userEmailCommand(user: Command, console: Console): void {
  verb(user, 'set-email', 'set where a user gets e-mail, such as the link for a new password', [
    'user set-email --username anna --email anna@example.com',
  ])
    .requiredOption(...USERNAME)
    .requiredOption('--email <address>', 'the address', mailAddress)
    .action(
      act<{ username: string; email: string }>(console, async (library, { username, email }) => {
        const { userId } = await needUser(library, username)
        await setEmail(library, userId, email)
        return { json: { user_id: userId, email }, text: `E-mail for ${username} (${userId}) goes to ${email}.` }
      }),
    )
}

/** What the operator should know of a user to whom no e-mail can go; undefined of others. */
function mailWarning(user: UserRecord): string | undefined {
  if (mailAddressOf(user) !== undefined) return undefined
  const command = `user set-email --username ${user.username} --email ADDRESS`
  return `No e-mail can go to ${user.username}, so they can't reset a forgotten password. Give an address with: ${command}`
}

/** `user disable`, `user enable`, `user delete` */
function userEndCommands(user: Command, console: Console): void {
  verb(user, 'disable', 'keep a user from signing in; their tokens are invalid at once', ['user disable --username anna'])
    .requiredOption(...USERNAME)
    .action(
      act<{ username: string }>(console, async (library, { username }) => {
        const { userId } = await needUser(library, username)
        await disableUser(library, userId).catch(explainLastAdmin)
        return { json: { user_id: userId, disabled: true }, text: `${username} (${userId}) is disabled.` }
      }),
    )

  verb(user, 'enable', 'let a disabled user sign in again; earlier tokens stay invalid', ['user enable --username anna'])
    .requiredOption(...USERNAME)
    .action(
      act<{ username: string }>(console, async (library, { username }) => {
        const { userId } = await needUser(library, username)
        await enableUser(library, userId)
        return { json: { user_id: userId, disabled: false }, text: `${username} (${userId}) is enabled.` }
      }),
    )

  verb(user, 'delete', 'delete a user for good, with their trashcan; files that they uploaded stay, as those of their company', [
    'user delete --username anna',
    'user delete --username anna --yes',
  ])
    .requiredOption(...USERNAME)
    .option(...YES)
    .action(
      act<{ username: string; yes?: boolean }>(console, async (library, options) => {
        const { userId, username } = await needUser(library, options.username)
        const warning = `User ${userId} loses all rights, and what lies in their trashcan goes with them.`
        if (!options.yes) await requireConfirmation(console, username, warning)
        await deleteUser({ ...library, media: await library.openMedia() }, userId).catch(explainLastAdmin)
        return { json: {}, text: `User ${username} (${userId}) is deleted.` }
      }),
    )
}
