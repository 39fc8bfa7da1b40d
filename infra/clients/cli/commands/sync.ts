import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder } from '../folders.ts'
import { xdgFolder } from '../profile.ts'
import type { Rate } from '../rate.ts'
import { Reported } from '../reported.ts'
import { StateFile } from '../state-file.ts'
import type { Synced, SyncOptions } from '../sync.ts'
import { syncDown } from '../sync-down.ts'
import { syncUp } from '../sync-up.ts'
import { BWLIMIT, positive, wholeNumber } from '../values.ts'

interface Options {
  delete?: boolean
  maxDelete: number
  dryRun?: boolean
  transfers: number
  bwlimit?: Rate
}

export function syncCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('sync')
    .description('make the second folder have what the first one has; one of them is on the disk, the other in the library')
    .argument('<FROM>', 'folder of the disk, or id or path of a folder')
    .argument('<TO>', 'the other one')
    .option('--delete', 'move what the first one does not have to the trash')
    .option('--max-delete <number>', 'where more would go, nothing is deleted', wholeNumber, 100)
    .option('--dry-run', 'only say what would be done')
    .option('--transfers <number>', 'files that are copied at a time', positive, 8)
    .option(...BWLIMIT)
    .addHelpText(
      'after',
      '\nPaths of the disk begin with / or ./, or are there. The trash of the disk is .media-library-trash in its folder. A changed file becomes' +
        '\nthe next version of the one in the library. Where it is of another type that one goes to the trash once the new one is imported.',
    )
    .action(signedIn<Options>(surroundings, sync))
}

async function sync(given: Session, [from, to]: readonly string[], options: Options): Promise<void> {
  const session = { ...given, library: given.transfers }
  const { output } = session
  const isDryRun = options.dryRun ?? false
  const synced = await copy(session, from!, to!, { isDryRun, transfers: options.transfers, rate: options.bwlimit })
  const { numbers, surplus } = synced
  const wanted = options.delete ? surplus.toSorted() : []
  const isTooMany = wanted.length > options.maxDelete
  const isDeleted = wanted.length > 0 && !isTooMany && numbers.failed === 0
  if (isTooMany) output.note(`${wanted.length} files would be deleted, more than --max-delete ${options.maxDelete}: none was.`)
  else if (wanted.length > 0 && numbers.failed > 0) output.note('Nothing is deleted, because some files failed.')
  if (isDeleted && isDryRun) for (const path of wanted) output.line({ outcome: 'would_trash', path }, `would trash  ${path}`)
  const deleted = isDeleted ? (isDryRun ? wanted.length : await synced.trash()) : 0
  const { copied, unchanged, replaced, failed } = numbers
  output.summary({ copied, unchanged, trashed: replaced + deleted, failed })
  if (synced.exitCode !== exitCodes.done) throw new Reported(synced.exitCode)
  if (isTooMany) throw new Reported(exitCodes.limit)
}

async function copy(session: Session, from: string, to: string, options: SyncOptions): Promise<Synced> {
  const { library, profile, surroundings } = session
  const { id: user } = await library.get('/whoami')
  const states = xdgFolder(surroundings.environment, 'XDG_STATE_HOME', '.local/state')
  const up = (folder: number) =>
    syncUp(session, resolve(from), folder, new StateFile(states, ['upload', profile.url, String(user)]), options)
  if (await isOnDisk(from)) return up((await findFolder(library, to)).id)
  const source = await findFolder(library, from).catch(async (error: unknown) => {
    // A folder of the disk that is missing, where the other one is in the library.
    if (!(await isOnDisk(to)) && (await findFolder(library, to).catch(() => undefined)))
      throw new Failure(exitCodes.fileNotFound, `There is no folder ${from} on the disk.`)
    throw error
  })
  return syncDown(session, source.id, resolve(to), new StateFile(states, ['download', profile.url]), options)
}

const isOnDisk = async (path: string): Promise<boolean> =>
  /^(\.{0,2}\/|\.{1,2}$|~)/.test(path) || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)
