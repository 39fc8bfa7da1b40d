import type { Command } from 'commander'
import { setPasswordSignIn } from '../../../shared/library/accounts/companies.ts'
import { forbidPasswordSignIn } from '../../../shared/library/accounts/password-sign-in.ts'
import { listProviders } from '../../../shared/library/accounts/providers.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { companyId, WrongUsage } from '../values.ts'

interface Choice {
  company: CompanyId
  on?: boolean
  off?: boolean
}

/** `company set-password-sign-in` @param company the noun that it belongs to */
export function passwordSignInCommand(company: Command, console: Console): void {
  verb(company, 'set-password-sign-in', 'let the members of a company sign in by password, or at its providers alone; admins keep theirs', [
    'company set-password-sign-in --company 42 --off',
    'company set-password-sign-in --company 42 --on',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--on', 'by password, too')
    .option('--off', 'at providers alone; sessions and tokens of all who are no admins are over')
    .action(
      act<Choice>(console, async (library, { company, on = false, off = false }) => {
        if (on === off) throw new WrongUsage('give either --on or --off')
        await needCompany(library, company)
        const json = { company_id: company, password_sign_in: on }
        if (on) {
          await setPasswordSignIn(library, company, true)
          return { json, text: `Members of company ${company} may sign in by password.` }
        }
        await forbidPasswordSignIn(library, company)
        const hasProvider = (await listProviders(library)).some(({ companyId }) => companyId === company)
        const warning = hasProvider ? undefined : `Company ${company} has no provider: only its admins can sign in. Add one with: sso add`
        return { json, text: `Members of company ${company} sign in at its providers alone. Admins keep their passwords.`, warning }
      }),
    )
}
