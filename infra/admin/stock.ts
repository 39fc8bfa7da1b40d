import type { Command } from 'commander'
import { notAvailableYet, noun, verb } from './command.ts'
import { id } from './values.ts'

/** `stock enable`, `stock disable`, `stock import` */
export function stockCommands(program: Command): void {
  const stock = noun(program, 'stock', 'the stock library, and who may use it')
  for (const action of ['enable', 'disable']) {
    verb(stock, action, `${action} stock downloads for a company`, [`stock ${action} --company 42`])
      .requiredOption('--company <id>', 'the company', id)
      .action(notAvailableYet('The stock library'))
  }
  verb(stock, 'import', 'import files into the stock library', ['stock import collection/index.json'])
    .argument('<file>', 'JSON: array of {id, file, filename, title, description, keywords}, files relative to it')
    .action(notAvailableYet('The stock library'))
}
