import type { Command } from 'commander'
import { setStreaming } from '../../../shared/library/accounts/companies.ts'
import type { Console } from '../../homes/terminal.ts'
import { noun } from '../command.ts'
import { companyRightCommands } from './company-right.ts'

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
