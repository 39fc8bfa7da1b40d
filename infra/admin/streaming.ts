import type { Command } from 'commander'
import { setStreaming } from '../../shared/library/accounts/companies.ts'
import type { CompanyId } from '../../shared/library/vocabulary/ids.ts'
import { act, type Console, noun, verb } from './command.ts'
import { needCompany } from './lookups.ts'
import { companyId } from './values.ts'

/** `streaming enable`, `streaming disable` */
export function streamingCommands(program: Command, console: Console): void {
  const group = noun(program, 'streaming', 'which companies may make public streams of their videos')

  for (const [action, streaming, description, what] of [
    ['enable', true, 'let a company make streams', 'may make streams now: clients ask for one with POST /media/ID/stream.'],
    [
      'disable',
      false,
      'let a company make no new streams; those that there are stay',
      'may make no new streams. Those that there are stay.',
    ],
  ] as const) {
    verb(group, action, description, [`streaming ${action} --company 42`])
      .requiredOption('--company <id>', 'the company', companyId)
      .action(
        act<{ company: CompanyId }>(console, async (library, { company }) => {
          await needCompany(library, company)
          await setStreaming(library, company, streaming)
          return { json: { company_id: company, streaming }, text: `Company ${company} ${what}` }
        }),
      )
  }
}
