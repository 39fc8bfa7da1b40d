import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { findFolder } from '../../../shared/library/folders/paths.ts'
import { day } from '../../../shared/library/time.ts'
import { presetsFileOf } from '../../../shared/library/transfer/presets.ts'
import { rightsOf } from '../../../shared/library/transfer/rights.ts'
import type { FolderRecord } from '../../../shared/library/tree/folder.ts'
import type { Tree } from '../../../shared/library/tree/tree.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, type CommandLibrary, type Result, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { withProgress } from '../progress.ts'
import { companyId } from '../values.ts'
import { Bag } from './bag.ts'
import { type Exported, exportedFolders, exportFiles } from './export-files.ts'
import { EXPORT_FILES, finishTarget, prepareTarget } from './export-target.ts'
import { ExportedVersions } from './export-versions.ts'

interface ExportOptions {
  company: CompanyId
  folder?: string
  bag?: boolean
  versions?: boolean
}

/** `export` */
export function exportCommand(program: Command, console: Console): void {
  verb(program, 'export', 'write the files of a company into a folder, with what is known of them', [
    'export /mnt/acme --company 42',
    'export /mnt/press --company 42 --folder Press/2026 --bag',
  ])
    .argument('<folder>', 'an empty folder, one that is not there yet, or one that holds a part of the same export')
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--folder <folder>', 'id or path of a folder: it and all below it; without it the whole library but trashcans')
    .option('--bag', 'make it a bag (BagIt 1.0), whose sums others can check')
    .option('--versions', 'also former versions of the files')
    .addHelpText('after', HELP)
    .action(
      act<ExportOptions>(console, async (library, options, [target = '']) => {
        try {
          return await runExport(console, library, options, target)
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException
          throw code === 'ENOSPC' || code === 'EDQUOT' || code === 'EACCES' || code === 'EROFS'
            ? new Error(`${target} can't be written: ${message}. Run the command again: it goes on.`)
            : error
        }
      }),
    )
}

async function runExport(console: Console, library: CommandLibrary, options: ExportOptions, target: string): Promise<Result> {
  const company = await needCompany(library, options.company)
  const tree = await loadTree(library, company.companyId)
  const top = options.folder === undefined ? undefined : needFolder(tree, options.folder)
  const payload = [EXPORT_FILES.payload, ...(options.versions ? [EXPORT_FILES.versions] : [])]
  await prepareTarget(target, { company: company.companyId, folder: top?.folderId }, payload)
  const folders = exportedFolders(tree, top)
  const [bag, now] = [new Bag(), library.clock.now()]
  const media = await library.openMedia()
  await using versions = options.versions ? await ExportedVersions.begin({ library, media, target, bag }) : undefined
  const lineOf = ({ files, bytes }: Exported) => `${files} files written, ${bytes} bytes`
  const { files, bytes, unfinished, unfinishedVersions } = await withProgress(console, lineOf, (report) =>
    exportFiles({ library, media, tree, folders, target, bag, versions, now, report }),
  )
  await versions?.end()
  const rights = await rightsOf(library, company, tree, folders)
  await writeFile(join(target, EXPORT_FILES.rights), `${JSON.stringify(rights, null, 2)}\n`)
  // They belong to the whole library.
  const presets = top ? undefined : await presetsFileOf(library, company.companyId)
  if (presets) await writeFile(join(target, EXPORT_FILES.presets), `${JSON.stringify(presets, null, 2)}\n`)
  const beside: string[] = [EXPORT_FILES.manifest, EXPORT_FILES.links, EXPORT_FILES.rights]
  if (presets) beside.push(EXPORT_FILES.presets)
  if (versions) beside.push(EXPORT_FILES.versionsTable)
  if (options.bag) await bag.write(target, beside, day(now))
  await finishTarget(target)
  const left = [unfinished > 0 && `${unfinished} files`, unfinishedVersions > 0 && `${unfinishedVersions} new versions of files`].filter(
    Boolean,
  )
  const warning = left.length > 0 ? `${left.join(' and ')} are left out: their import has not ended.` : undefined
  const also = versions ? `, and ${versions.counts.files} former versions, ${versions.counts.bytes} bytes` : ''
  return {
    json: { files, bytes, ...(versions && { versions: versions.counts }) },
    text: `${target} holds ${files} files, ${bytes} bytes${also}.`,
    warning,
  }
}

/** @throws Error in a sentence */
function needFolder(tree: Tree, given: string): FolderRecord {
  const found = findFolder(tree, given)
  if (!found)
    throw new Error(`Company ${tree.companyId} has no folder ${given}. List its folders with: folder list --company ${tree.companyId}`)
  return found
}

const HELP = `
data/ holds the files in their folders, each once, with NAME.EXT.json and NAME.EXT.xmp beside it. manifest.csv names them with their
metadata, rights.json users and groups, and the folders with their tags, aliases and what they grant, links.csv the public addresses,
presets.json the presets of links, where there are any and the whole library is exported.
With --versions versions.csv names all versions of files that were replaced, and versions/ holds the bytes of those that aren't current.
Left out are trashcans, passwords, keys, webhooks and what was edited before.
"import" takes such a folder into another company or library. An export that was cut off has a file export.unfinished: run the command
again, and it goes on. What it wrote is compared with the library, and what is whole isn't written again.

With --json it prints {"files", "bytes"}, those of the originals; --versions adds "versions": {"files", "bytes"}.`
