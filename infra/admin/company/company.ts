import type { Command } from 'commander'
import {
  type CompanyRecord,
  findCompany,
  listCompanies,
  renameCompany,
  setPasswordSignIn,
} from '../../../shared/library/accounts/companies.ts'
import { forbidPasswordSignIn } from '../../../shared/library/accounts/password-sign-in.ts'
import { listProviders } from '../../../shared/library/accounts/providers.ts'
import { openCompany } from '../../../shared/library/accounts/provision.ts'
import { type Holdings, holdingsOf } from '../../../shared/library/company-removal/holdings.ts'
import { removeCompany } from '../../../shared/library/company-removal/remove-company.ts'
import { setQuota } from '../../../shared/library/quota/quota.ts'
import { timestamp } from '../../../shared/library/time.ts'
import { setVersionsKept } from '../../../shared/library/versions/sweep-company.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { requireConfirmation, YES } from '../../homes/confirmation.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany, noCompany } from '../lookups.ts'
import { withProgress } from '../progress.ts'
import { textTable } from '../text-table.ts'
import { byteCount, companyId, name, versionCount, WrongUsage } from '../values.ts'

/** `company create`, `rename`, `set-quota`, `set-versions`, `set-password-sign-in`, `delete`, `list` */
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

  verb(company, 'set-versions', 'say how many versions of a file are kept; pinned ones are kept besides', [
    'company set-versions --company 42 --keep 50',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--keep <number>', 'how many, the current one included, from 1 to 1000', versionCount)
    .action(
      act<{ company: CompanyId; keep: number }>(console, async (library, { company, keep }) => {
        const { companyId } = await needCompany(library, company)
        await setVersionsKept(library, companyId, keep)
        const versions = keep === 1 ? 'the current version' : `the last ${keep} versions`
        return { json: { versions_kept: keep }, text: `Company ${companyId} keeps ${versions} of a file. Others go within a day.` }
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

interface Choice {
  company: CompanyId
  on?: boolean
  off?: boolean
}

/** `company set-password-sign-in` */
function passwordSignInCommand(company: Command, console: Console): void {
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

/** `company delete` */
function companyDeleteCommand(company: Command, console: Console): void {
  verb(company, 'delete', 'delete a company for good, with its files, users, keys and links', [
    'company delete --company 42',
    'company delete --company 42 --yes --stack media-library',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .option(...YES)
    .addHelpText('after', HELP)
    .action(
      act<{ company: CompanyId; yes?: boolean }>(console, async (library, options) => {
        const found = await findCompany(library, options.company)
        if (!found) throw noCompany(options.company)
        const { companyId, name } = found
        const holdings = await holdingsOf(library, companyId)
        const warning = `Company ${companyId} has ${wordsOf(holdings)}. All of it goes.`
        if (options.yes) console.error(warning)
        else if (console.isTerminal) await requireConfirmation(console, name, warning)
        else throw new Error(`${warning} Nothing was deleted: without a terminal to ask on it takes --yes.`)
        const removal = { ...library, ...(await library.openCompanyRemoval()), log: jsonLog(console.error) }
        const lineOf = (items: number) =>
          items === 0 ? 'Nobody gets in any more. Waiting a minute for what has begun.' : `Records removed: ${items}`
        await withProgress(console, lineOf, (report) => removeCompany(removal, companyId, report))
        const { leaving, ...gone } = holdings
        return { json: { company_id: companyId, name, deleted: gone, left: leaving }, text: `Company ${companyId}, ${name}, is deleted.` }
      }),
    )
}

/** What goes, in words: `2 users, 1 key`. */
function wordsOf({ leaving, bytes, files, ...others }: Holdings): string {
  const counts = Object.entries(NAMES).map(([kind, name]) => counted(others[kind as keyof typeof NAMES], name))
  const staying = leaving > 0 ? [`${counted(leaving, 'user')} of other companies, too`] : []
  return [`${counted(files, 'file')} (${bytes} bytes)`, ...counts, ...staying].join(', ')
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : name.endsWith('s') ? 'es' : 's'}`

const NAMES = {
  ...{ folders: 'folder', users: 'user', keys: 'key', providers: 'sign-on provider', cliques: 'clique' },
  ...{ aliases: 'alias', shares: 'share link', webhooks: 'webhook' },
} as const

const HELP = `
It says what goes, and asks for the company's name; where no terminal is it takes --yes. Its users are signed out at once,
and nobody gets in any more. Then everything of it goes: users who belong to no other company, keys, folders, files and
trash, links, streams, share links, jobs, events, webhooks, providers and the search index. Others' companies stay as they
are. It waits a minute for requests that have begun, for jobs that run, and on a stack for the edges.

Where it was interrupted, run it again: it goes on. Until then the company takes no other command.`
