import { stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { inParallel } from '../../../../shared/parallel.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder } from '../folders.ts'
import { type LocalFile, localFiles, type Selection, type Unreadable } from '../local-tree.ts'
import { xdgFolder } from '../profile.ts'
import type { Rate } from '../rate.ts'
import { Reported } from '../reported.ts'
import { Sidecars, sidecarChange } from '../sidecars.ts'
import { StateFile } from '../state-file.ts'
import { TargetFolders } from '../target-folders.ts'
import { COLUMNS, metadataTable } from '../upload-metadata.ts'
import { runUpload, type UploadPlan } from '../upload-run.ts'
import { BWLIMIT, positive } from '../values.ts'

interface Options extends Selection {
  to: string
  transfers: number
  checkers: number
  dryRun?: boolean
  skipExisting: UploadPlan['skipExisting']
  onConflict: 'keep' | 'replace'
  wait?: boolean
  maxErrors: number
  bwlimit?: Rate
  sidecars?: boolean
  metadata?: string
}

export function uploadCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('upload')
    .description('upload files and folders; run it again, and it goes on')
    .argument('<PATH...>', 'files, folders (DIR becomes a folder), what is in a folder (DIR/)')
    .requiredOption('--to <FOLDER>', 'id or path of the folder')
    .option('--transfers <number>', 'files, and parts of large ones, that are sent at a time', positive, 8)
    .option('--checkers <number>', 'files that are compared at a time', positive, 4)
    .option('--include <pattern...>', 'only files that match, such as *.jpg or 2026/**')
    .option('--exclude <pattern...>', 'no files that match')
    .option('--dry-run', 'only say what would be uploaded')
    .addOption(
      new Option('--skip-existing <how>', 'how a file that is in the folder is known').choices(['md5', 'name', 'none']).default('md5'),
    )
    .addOption(
      new Option('--on-conflict <how>', 'a changed file whose name is in the folder: lies beside that one, or becomes its next version')
        .choices(['keep', 'replace'])
        .default('keep'),
    )
    .option('--metadata <FILE>', `CSV with ${COLUMNS.join(', ')}; keywords are separated by ;`)
    .option('--sidecars', 'take the metadata of NAME.json or NAME.xmp beside each file')
    .option('--wait', 'until all are imported')
    .addOption(new Option('--max-errors <number>', 'failures that end the run').argParser(positive).default(Infinity, 'none does'))
    .option(...BWLIMIT)
    .action(signedIn<Options>(surroundings, upload))
}

async function upload(session: Session, paths: readonly string[], options: Options): Promise<void> {
  const { library, profile, output, surroundings } = session
  const isReplacing = options.onConflict === 'replace'
  if (isReplacing && options.skipExisting !== 'md5')
    throw new Failure(exitCodes.usage, '--on-conflict replace knows files by their names and bytes: leave --skip-existing out.')
  const { id: user } = await library.get('/whoami')
  const { id: folder } = await findFolder(library, options.to)
  // All are looked for before the first is sent.
  for (const path of paths) await stat(path).catch(() => fail(`There is no ${path}.`))
  const isDryRun = options.dryRun ?? false
  const table = options.metadata === undefined ? undefined : await metadataTable(options.metadata)
  const { transfers, checkers, skipExisting, maxErrors } = options
  const { ids, exitCode, ...numbers } = await runUpload(session, {
    ...{ transfers, checkers, skipExisting, maxErrors },
    files: filesOf(paths, options),
    targets: new TargetFolders(session.transfers, folder, { isDryRun }),
    state: new StateFile(xdgFolder(surroundings.environment, 'XDG_STATE_HOME', '.local/state'), ['upload', profile.url, String(user)]),
    isDryRun,
    ...(isReplacing && { versions: 'upload' as const }),
    rate: options.bwlimit,
    changeOf: async (file) => rowOf(table, file) ?? (options.sidecars ? await sidecarChange(file.path) : undefined),
  })
  if (options.wait) {
    const { signal } = surroundings
    await inParallel(ids.uploaded, options.transfers, async (id) => void (await session.transfers.waitUntilAvailable(id, { signal })))
  }
  output.summary(numbers)
  if (exitCode !== exitCodes.done) throw new Reported(exitCode)
}

async function* filesOf(paths: readonly string[], options: Options): AsyncGenerator<LocalFile | Unreadable> {
  const sidecars = new Sidecars()
  for (const path of paths)
    for await (const file of localFiles(path, options)) if (!(options.sidecars && (await sidecars.has(file.path)))) yield file
}

/** The row of a file, whether its path begins with the given folder or in it. */
function rowOf<Row>(table: ReadonlyMap<string, Row> | undefined, { folders, name }: LocalFile): Row | undefined {
  const path = [...folders, name].map((each) => each.normalize('NFC'))
  return table?.get(path.join('/')) ?? table?.get(path.slice(1).join('/'))
}

function fail(message: string): never {
  throw new Failure(exitCodes.fileNotFound, message)
}
