import type { Command } from 'commander'
import { setStock } from '../../../shared/library/accounts/companies.ts'
import type { Console } from '../../homes/terminal.ts'
import { noun } from '../command.ts'
import { companyRightCommands } from '../company/company-right.ts'
import { stockImportCommand } from './stock-import.ts'

/** `stock enable`, `stock disable`, `stock import` */
export function stockCommands(program: Command, console: Console): void {
  const stock = noun(program, 'stock', 'which companies may use the stock library, and what its catalogue holds')
  companyRightCommands(stock, console, {
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
  stockImportCommand(stock, console)
}
