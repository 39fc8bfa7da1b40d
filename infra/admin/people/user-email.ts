import type { Command } from 'commander'
import { mailAddressOf, setEmail, type UserRecord } from '../../../shared/library/accounts/users.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'
import { needUser } from '../lookups.ts'
import { mailAddress, name } from '../values.ts'

/** `user set-email` @param user the noun that it belongs to */
export function userEmailCommand(user: Command, console: Console): void {
  verb(user, 'set-email', 'set where a user gets e-mail, such as the link for a new password', [
    'user set-email --username anna --email anna@example.com',
  ])
    .requiredOption('--username <name>', 'name that the user signs in with', name)
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
export function mailWarning(user: UserRecord): string | undefined {
  if (mailAddressOf(user) !== undefined) return undefined
  const command = `user set-email --username ${user.username} --email ADDRESS`
  return `No e-mail can go to ${user.username}, so they can't reset a forgotten password. Give an address with: ${command}`
}
