import type { Command } from 'commander'
import { revokeAdmin } from '../../../shared/library/accounts/admins.ts'
import { setMembership } from '../../../shared/library/accounts/users.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { explainLastAdmin, needCompany, needUser, requireMember } from '../lookups.ts'
import { companyId, name } from '../values.ts'

/** `admin grant`, `admin revoke` */
export function adminCommands(program: Command, console: Console): void {
  const admin = noun(program, 'admin', 'who manages a company: its cliques, and every folder but the trashcans of others')

  for (const [action, isAdmin] of [
    ['grant', true],
    ['revoke', false],
  ] as const) {
    const description = isAdmin ? 'make a member of a company its admin' : 'make an admin an ordinary member again'
    verb(admin, action, description, [`admin ${action} --username anna --company 42`])
      .requiredOption('--username <name>', 'the member', name)
      .requiredOption('--company <id>', 'the company', companyId)
      .action(
        act<{ username: string; company: CompanyId }>(console, async (library, { username, company }) => {
          await needCompany(library, company)
          const user = await needUser(library, username)
          requireMember(user, company)
          if (isAdmin) await setMembership(library, user.userId, { companyId: company, admin: true })
          else await revokeAdmin(library, user.userId, company).catch(explainLastAdmin)
          const json = { user_id: user.userId, company_id: company, admin: isAdmin }
          return { json, text: `${username} (${user.userId}) is ${isAdmin ? 'now' : 'no longer'} admin of company ${company}.` }
        }),
      )
  }
}
