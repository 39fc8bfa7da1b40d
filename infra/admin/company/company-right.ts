import type { Command } from 'commander'
import { setStreaming } from '../../../shared/library/accounts/companies.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, type CommandLibrary, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { companyId } from '../values.ts'

/** A right that the operator gives companies. */
export interface CompanyRight {
  /** Name of its group of commands, and of its field in answers. */
  name: string
  set(library: CommandLibrary, companyId: CompanyId, allowed: boolean): Promise<void>
  enable: Wording
  disable: Wording
}

interface Wording {
  /** What the command does, for its help. */
  description: string
  /** The company's new state, in words: `Company 42 …`. */
  done: string
}

/** `enable` and `disable` of a right. @param group of commands, named like the right */
export function companyRightCommands(group: Command, console: Console, { name, set, ...wordings }: CompanyRight): void {
  for (const [action, allowed] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const { description, done } = wordings[action]
    verb(group, action, description, [`${name} ${action} --company 42`])
      .requiredOption('--company <id>', 'the company', companyId)
      .action(
        act<{ company: CompanyId }>(console, async (library, { company }) => {
          await needCompany(library, company)
          await set(library, company, allowed)
          return { json: { company_id: company, [name]: allowed }, text: `Company ${company} ${done}` }
        }),
      )
  }
}

/** `streaming enable`, `streaming disable` */
export function streamingCommands(program: Command, console: Console): void {
  companyRightCommands(noun(program, 'streaming', 'which companies may make public streams of their videos'), console, {
    name: 'streaming',
    set: setStreaming,
    enable: {
      description: 'let a company make streams',
      done: 'may make streams now: clients ask for one with POST /media/ID/stream.',
    },
    disable: {
      description: 'let a company make no new streams; those that there are stay',
      done: 'may make no new streams. Those that there are stay.',
    },
  })
}
