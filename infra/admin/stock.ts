import type { Command } from 'commander'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { type Console, noun } from './command.ts'
import { companyRightCommands } from './company-right.ts'

/** `stock enable`, `stock disable` */
export function stockCommands(program: Command, console: Console): void {
  companyRightCommands(noun(program, 'stock', 'which companies may use the stock library'), console, {
    name: 'stock',
    set: setStock,
    enable: {
      description: 'let a company search and download the stock library',
      done: 'may search and download the stock library now.',
    },
    disable: {
      description: 'hide the stock library from a company, at once',
      done: 'may not use the stock library any more. What was downloaded stays in the log.',
    },
  })
}
