import type { Command } from 'commander'
import { findCompany } from '../../../shared/library/accounts/companies.ts'
import { renameUser } from '../../../shared/library/accounts/rename-user.ts'
import { mailAddressOf } from '../../../shared/library/accounts/users.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'
import { needUser } from '../lookups.ts'
import { name, WrongUsage } from '../values.ts'
import { mailWarning } from './user-email.ts'

interface Rename {
  username: string
  newUsername?: string
  fullname?: string
}

/** `user show`, `user rename` @param user the noun that they belong to */
export function userRecordCommands(user: Command, console: Console): void {
  verb(user, 'show', 'show a user with their companies', ['user show --username anna', 'user show --username anna --json'])
    .requiredOption('--username <name>', 'name that the user signs in with', name)
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
