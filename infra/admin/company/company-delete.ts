import type { Command } from 'commander'
import { findCompany } from '../../../shared/library/accounts/companies.ts'
import { type Holdings, holdingsOf } from '../../../shared/library/company-removal/holdings.ts'
import { removeCompany } from '../../../shared/library/company-removal/remove-company.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { requireConfirmation, YES } from '../../homes/confirmation.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'
import { noCompany } from '../lookups.ts'
import { withProgress } from '../progress.ts'
import { companyId } from '../values.ts'

/** `company delete` @param company the noun that it belongs to */
export function companyDeleteCommand(company: Command, console: Console): void {
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
