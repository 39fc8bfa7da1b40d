import type { Command } from 'commander'
import { notAvailableYet, noun, verb } from './command.ts'
import { id } from './values.ts'

/** `cdn alias add`, `cdn alias remove`, `cdn alias list` */
export function cdnCommands(program: Command): void {
  const cdn = noun(program, 'cdn', 'public links to files')
  const alias = noun(cdn, 'alias', 'the folders whose files have links, under the names that their links carry')

  verb(alias, 'add', 'publish a folder under a name; makes the folder where none is named', ['cdn alias add --company 42 --alias press'])
    .requiredOption('--company <id>', 'the company', id)
    .requiredOption('--alias <name>', 'name in the links')
    .option('--folder <id>', 'the folder', id)
    .action(notAvailableYet('Publishing through a CDN'))

  verb(alias, 'remove', 'end an alias with all its links', ['cdn alias remove --company 42 --alias press'])
    .requiredOption('--company <id>', 'the company', id)
    .requiredOption('--alias <name>', 'name in the links')
    .action(notAvailableYet('Publishing through a CDN'))

  verb(alias, 'list', 'list the aliases of a company', ['cdn alias list --company 42'])
    .requiredOption('--company <id>', 'the company', id)
    .action(notAvailableYet('Publishing through a CDN'))
}
