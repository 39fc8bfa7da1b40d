import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Name } from '../../../shared/http/declaration/fields.ts'
import { baseNames, folderNames, folderPath } from '../../../shared/library/folders/paths.ts'
import { Folders } from '../../../shared/library/transfer/folders.ts'
import { placeOfExported } from '../../../shared/library/transfer/place.ts'
import { applyPresets } from '../../../shared/library/transfer/presets.ts'
import { applyRights } from '../../../shared/library/transfer/rights.ts'
import { FLAT_FIELDS } from '../../../shared/tools/sidecars/json.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, type CommandLibrary, type Result, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { withProgress } from '../progress.ts'
import { companyId } from '../values.ts'
import { EXPORT_FILES } from './export-target.ts'
import { type Counts, importFiles } from './import-files.ts'
import { versionFolders } from './import-versions.ts'
import { ManifestRows } from './manifest-rows.ts'
import { Mapping } from './mapping.ts'
import { readExport } from './read-export.ts'
import type { Refusals } from './refusals.ts'
import { COLUMNS } from './said.ts'
import { bucketSource, folderSource, type Source } from './source.ts'

interface ImportOptions {
  company: CompanyId
  folder?: string
  manifest?: string
  dryRun?: boolean
  keepIds?: boolean
}

/** `import` */
export function importCommand(program: Command, console: Console): void {
  verb(program, 'import', 'take a tree of files into a company, with what is known of them', [
    'import /mnt/pictures --company 42 --dry-run',
    'import /mnt/pictures --company 42 --folder Press/2026 --manifest pictures.csv',
    'import s3://old-library/pictures --company 42 --stack media-library --json',
  ])
    .argument('<source>', 'a folder, or s3://bucket/folder; also one that "export" wrote')
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--folder <folder>', 'id or path of a folder into which all goes; without it the folders become top folders')
    .option('--manifest <file>', 'CSV with a line of columns, or JSON lines (.jsonl)')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--keep-ids', 'files keep their source ids as ids; folders, users, groups and links of an export theirs')
    .addHelpText('after', HELP)
    .action(act<ImportOptions>(console, (library, options, [source = '']) => runImport(console, library, options, source)))
}

async function runImport(console: Console, library: CommandLibrary, options: ImportOptions, given: string): Promise<Result> {
  const { companyId } = await needCompany(library, options.company)
  const { dryRun = false, keepIds = false } = options
  const isBucket = given.startsWith('s3://')
  const source = isBucket ? await bucketSource(given) : await folderSource(given)
  await using unprinted = new AsyncDisposableStack()
  const exported = await readExport(source, isBucket ? undefined : given, unprinted)
  const rows = unprinted.use(await ManifestRows.read(options.manifest ?? exported?.manifest))
  const base = await baseNames(library, companyId, options.folder)
  const folders = new Folders(library, companyId)
  const rights = exported && !dryRun ? await applyRights(library, companyId, exported.rights, { folders, base, keepIds }) : undefined
  const left: string[] = exported && !dryRun ? await applyPresets(library, companyId, exported.presets) : []
  const tops = new Set<string>()
  const versions = exported?.versions
  if (versions && !keepIds) left.push('Former versions of files are left out: --keep-ids takes them.')
  await using mapping = dryRun ? undefined : await Mapping.begin(mappingOf(given, isBucket))
  const counts = await withProgress(console, progressLine, async (report) =>
    importFiles({
      ...{ library, companyId, source, rows, keepIds, report, below: exported ? EXPORT_FILES.payload : '' },
      ...(!dryRun && { uploads: await library.openUploads() }),
      ...(versions &&
        keepIds && { versions: { rows: versions, folders: await versionFolders(source), userOf: (id: number) => rights?.users.get(id) } }),
      async placeOf(said, names) {
        const elsewhere = () => folders.at([...base, ...names])
        return rights ? placeOfExported(rights, said, { keepIds, elsewhere }) : { folders: [await elsewhere()] }
      },
      namesOf({ folder }, file) {
        const names = checkNames(placeOf(folder, file.folders, base, source))
        tops.add(names[0] ?? '')
        return names
      },
      taken: async (file) => mapping?.add(file),
    }),
  )
  await mapping?.end()
  const way = `From ${isBucket ? given : resolve(given)} into ${base.length > 0 ? `the folder ${folderPath(base)}` : topsText([...tops])}.`
  const result = resultOf(counts, rows.refusals, {
    mapping: mapping?.file ?? null,
    dryRun,
    way,
    hasVersions: versions !== undefined && keepIds,
    warnings: [...(rights?.warnings ?? []), ...left],
  })
  const printed = unprinted.move()
  return { ...result, afterwards: () => printed.disposeAsync() }
}

/** @throws Error where one can't be a folder's */
function checkNames(names: readonly string[]): readonly string[] {
  const problem = names.map((name) => Name.safeParse(name).error?.issues[0]?.message).find(Boolean)
  if (problem !== undefined) throw new Error(`The name of a folder ${problem}.`)
  return names
}

/** Files need folders: those at the top of a source get a folder of its name. */
function placeOf(said: string | undefined, found: readonly string[], base: readonly string[], source: Source): readonly string[] {
  const names = said === undefined ? found.map((name) => name.trim().normalize('NFC')) : folderNames(said)
  return names.length + base.length > 0 ? names : [source.name.normalize('NFC')]
}

/** Beside the folder: inside it the next import would take it. */
function mappingOf(given: string, isBucket: boolean): string {
  return `${isBucket ? resolve(given.slice('s3://'.length).replace(/\/+$/, '').replaceAll('/', '-')) : resolve(given)}.mapping.csv`
}

const progressLine = ({ imported, existing, refused }: Counts) =>
  `${imported + existing + refused} files done: ${imported} new, ${existing} already there, ${refused} refused`

const MOST_SHOWN = 100
/** Top folders that are named to people. */
const MOST_TOPS = 5

function topsText(tops: readonly string[]): string {
  const named = tops
    .toSorted()
    .slice(0, MOST_TOPS)
    .map((name) => folderPath([name]))
  const more = tops.length > MOST_TOPS ? ` and ${tops.length - MOST_TOPS} more` : ''
  return tops.length === 0 ? 'no folder' : `the top ${tops.length === 1 ? 'folder' : 'folders'} ${named.join(', ')}${more}`
}

/** What else is told of an import. */
interface Told {
  mapping: string | null
  dryRun: boolean
  way: string
  hasVersions: boolean
  warnings: readonly string[]
}

function resultOf(
  { imported, existing, refused, versions }: Counts,
  refusals: Refusals,
  { mapping, dryRun, way, hasVersions, warnings }: Told,
): Result {
  const lines = [...refusals.all().take(MOST_SHOWN)].map(({ path, message }) => `${path}: ${message}`)
  const more = refused > MOST_SHOWN ? [`and ${refused - MOST_SHOWN} more; --json lists all`] : []
  const ids = mapping === null ? '' : ` Old and new ids are in ${mapping}.`
  const former = hasVersions ? ` Former versions: ${versions}.` : ''
  const sum = `${dryRun ? 'To import' : 'Imported'}: ${imported}.${former} Already there: ${existing}. Refused: ${refused}. ${way}${ids}`
  function* json() {
    yield `{"imported":${imported},"existing":${existing},${hasVersions ? `"versions":${versions},` : ''}"refused":[`
    yield* listItems(refusals.all())
    if (dryRun) {
      yield '],"conflicts":['
      yield* listItems(refusals.all({ conflicts: true }))
    }
    yield `],"mapping":${JSON.stringify(mapping)}}`
  }
  return { json, text: [...lines, ...more, sum].join('\n'), ...(warnings.length > 0 && { warning: warnings.join('\n') }) }
}

function* listItems(items: Iterable<object>): Generator<string> {
  let separator = ''
  for (const item of items) {
    yield `${separator}${JSON.stringify(item)}`
    separator = ','
  }
}

const HELP = `
A manifest has the columns ${COLUMNS.join(', ')}.
Keywords are separated by ;, a point is two numbers like 0.5,0.25; only path is needed. path leads from the source's folder to the file, folder is one of the library. All files of the source
come, and rows add to them. Metadata beside a file is taken, too: NAME.EXT.json, NAME.EXT.xmp, NAME.xmp. JSON is as downloads write it, or
flat: ${FLAT_FIELDS.join(', ')}, where keywords are a text with ; or a list.
Files beside which JSON has other fields are refused.

A file whose source id, or without one whose bytes the company has already, is not taken again. So an import that was interrupted is
repeated. Links, pipes and paths that lead out of the folder are refused. Files are imported by the server, so it may take a while until
they are found. Of an export with versions, --keep-ids also takes these.

With --json it prints {"imported", "existing", "refused": [{"path", "message"}], "mapping"}; where it takes versions also their number,
"versions"; --dry-run adds "conflicts": of the refused
those whose source id or id stands for another file. Exit code: 0, also where files were refused; 1 where the manifest can't be read.`
