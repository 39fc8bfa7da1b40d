import type { Command } from 'commander'
import { type CompanyRecord, listCompanies, renameCompany } from '../../../shared/library/accounts/companies.ts'
import { openCompany } from '../../../shared/library/accounts/provision.ts'
import { setQuota } from '../../../shared/library/quota/quota.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { byteCount, companyId, name } from '../values.ts'
import { companyDeleteCommand } from './company-delete.ts'
import { passwordSignInCommand } from './password-sign-in.ts'

/** `company create`, `rename`, `set-quota`, `set-password-sign-in`, `delete`, `list` */
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

  verb(company, 'rename', 'change the name of a company', ['company rename --company 42 --name "Acme Pictures"'])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--name <name>', 'its name from now on', name)
    .action(
      act<{ company: CompanyId; name: string }>(console, async (library, options) => {
        const renamed = { ...(await needCompany(library, options.company)), name: options.name }
        await renameCompany(library, renamed.companyId, renamed.name)
        return { json: companyJson(renamed), text: `Company ${renamed.companyId} is ${renamed.name}.` }
      }),
    )

  verb(company, 'set-quota', 'limit what the originals of a company take', [
    'company set-quota --company 42 --bytes 100000000000',
    'company set-quota --company 42 --bytes none',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--bytes <bytes>', 'most bytes, trash included; none for no limit', byteCount)
    .action(
      act<{ company: CompanyId; bytes: number | 'none' }>(console, async (library, { company: id, bytes: given }) => {
        const { companyId } = await needCompany(library, id)
        const bytes = given === 'none' ? null : given
        await setQuota(library, companyId, bytes ?? undefined)
        const text = bytes === null ? `Company ${companyId} has no quota.` : `Company ${companyId} has a quota of ${bytes} bytes.`
        return { json: { quota_bytes: bytes }, text }
      }),
    )

  passwordSignInCommand(company, console)
  companyDeleteCommand(company, console)

  verb(company, 'list', 'list all companies, oldest first', ['company list', 'company list --json']).action(
    act(console, async (library) => {
      const companies = (await listCompanies(library)).map(companyJson)
      const rows = companies.map(({ company_id, name, created }) => [company_id, name, created])
      return { json: companies, text: textTable(['ID', 'NAME', 'CREATED (UTC)'], rows) }
    }),
  )
}

function companyJson({ companyId, name, created }: CompanyRecord) {
  return { company_id: companyId, name, created: timestamp(created) }
}
