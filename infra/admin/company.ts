import type { Command } from 'commander'
import { listCompanies } from '../../shared/library/accounts/companies.ts'
import { openCompany } from '../../shared/library/accounts/provision.ts'
import { timestamp } from '../../shared/library/time.ts'
import { act, type Console, noun, verb } from './command.ts'
import { textTable } from './text-table.ts'
import { name } from './values.ts'

/** `company create`, `company list` */
export function companyCommands(program: Command, console: Console): void {
  const company = noun(program, 'company', 'accounts that own folders, files, users and keys')

  verb(company, 'create', 'make a company', ['company create --name "Acme Media"'])
    .requiredOption('--name <name>', 'name of the company', name)
    .action(
      act<{ name: string }>(
        console,
        async (library, options) => {
          const { companyId, name } = await openCompany(library, options.name)
          const warning = library.madeIn && `There was no library in ${library.madeIn}, so this made one.`
          return { json: { company_id: companyId, name }, text: `Made company ${companyId}, ${name}.`, warning }
        },
        { makesLibrary: true },
      ),
    )

  verb(company, 'list', 'list all companies, oldest first', ['company list', 'company list --json']).action(
    act(console, async (library) => {
      const companies = (await listCompanies(library)).map(({ companyId, name, created }) => ({
        company_id: companyId,
        name,
        created: timestamp(created),
      }))
      const rows = companies.map(({ company_id, name, created }) => [company_id, name, created])
      return { json: companies, text: textTable(['ID', 'NAME', 'CREATED (UTC)'], rows) }
    }),
  )
}
