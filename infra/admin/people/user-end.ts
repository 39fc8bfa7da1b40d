import type { Command } from 'commander'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { enableUser } from '../../../shared/library/accounts/users.ts'
import { deleteUser } from '../../../shared/library/removals/user.ts'
import { requireConfirmation, YES } from '../../homes/confirmation.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'
import { explainLastAdmin, needUser } from '../lookups.ts'
import { name } from '../values.ts'

const USERNAME = ['--username <name>', 'name that the user signs in with', name] as const

/** `user disable`, `user enable`, `user delete` @param user the noun that they belong to */
export function userEndCommands(user: Command, console: Console): void {
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
