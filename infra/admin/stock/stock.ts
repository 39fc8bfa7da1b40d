import type { Command } from 'commander'
import { setStock } from '../../../shared/library/accounts/companies.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { importItems } from '../../../shared/library/stock/import-items.ts'
import { refusals } from '../../../shared/library/stock/refusals.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { companyRightCommands } from '../company/company-right.ts'
import { withProgress } from '../progress.ts'
import { type Manifest, readManifest } from './manifest.ts'

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

/** `stock import`. @param stock the group of its commands */
function stockImportCommand(stock: Command, console: Console): void {
  verb(stock, 'import', 'import the items of a manifest into the stock catalogue', [
    'stock import manifest.jsonl',
    'stock import manifest.jsonl --stack media-library --json',
  ])
    .argument('<file>', 'the manifest: JSON lines, each an item')
    .addHelpText('after', HELP)
    .action(
      act(console, async (library, _, [file = '']) => {
        const manifest = await readManifest(file)
        const entries = [...manifest.entries.keys()]
        const lineOf = (what: string) => (done: number) => `${done} of ${entries.length} items ${what}`
        await withProgress(console, lineOf('checked'), (report) => requireRight(library, file, manifest, report))
        const uploads = await library.openUploads()
        const { imported, unchanged } = await withProgress(console, lineOf('done'), (report) =>
          importItems({ ...library, uploads }, entries, report),
        )
        return { json: { imported, unchanged }, text: `Imported: ${imported}. Unchanged: ${unchanged}.` }
      }),
    )
}

/** @throws Error that tells what is wrong with the manifest */
async function requireRight(
  library: Reading,
  file: string,
  { entries, problems }: Manifest,
  report: (done: number) => void,
): Promise<void> {
  for await (const { entry, problem } of refusals(library, entries.keys(), report)) problems.add(entries.get(entry) ?? 0, entry.id, problem)
  if (problems.count === 0) return
  throw new Error([`The manifest ${file} can't be imported. Nothing was taken of it:`, ...problems.lines()].join('\n'))
}

const HELP = `
Each item is {"id", "file", "filename", "title", "description", "keywords"}; only the id is needed. file is a path from the
manifest's folder. title, description and keywords are by language: {"en": "Harbour", "da": "Havn"}, {"en": ["boat"]}. What
an item does not name is taken from its file.

Everything is checked before anything is taken. The same manifest again changes nothing, so an import that was interrupted
is repeated. What an item says otherwise is changed; its file can't be, but may come later. Items that are not in the
manifest stay. Files are imported by the server, so it may take a while until they are found.`
