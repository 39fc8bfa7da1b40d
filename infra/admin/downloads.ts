import type { Command } from 'commander'
import { notAvailableYet, noun, verb } from './command.ts'
import { day, id } from './values.ts'

/** `downloads list` */
export function downloadsCommands(program: Command): void {
  const downloads = noun(program, 'downloads', 'what was downloaded, by whom')
  verb(downloads, 'list', 'list downloads of a company, newest first', ['downloads list --company 42 --since 2026-01-01 --limit 20'])
    .requiredOption('--company <id>', 'the company', id)
    .option('--since <day>', 'from this day on (yyyy-mm-dd, UTC)', day)
    .option('--limit <number>', 'at most so many', id)
    .action(notAvailableYet('The log of downloads'))
}
