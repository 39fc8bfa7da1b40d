import { mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { MediaLibrary } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn, unlessMissing } from '../command.ts'
import type { Download, Size } from '../download-file.ts'
import { runDownload } from '../download-run.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, idOf } from '../folders.ts'
import { type LibraryFile, libraryFiles, Names } from '../library-tree.ts'
import { xdgFolder } from '../profile.ts'
import type { Rate } from '../rate.ts'
import { Reported } from '../reported.ts'
import { StateFile } from '../state-file.ts'
import { BWLIMIT, positive } from '../values.ts'

const SIZES: Size[] = ['110px', '200px', '320px', '480px', '800px', '1200px', '1600px']

interface Options {
  original?: boolean
  size?: Size
  sidecars?: boolean
  transfers: number
  bwlimit?: Rate
}

export function downloadCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('download')
    .description('download what is in a folder and below it, or files; run it again, and it goes on')
    .usage('[options] <FOLDER | ID...> <DIR>')
    .argument('<WHAT...>', 'id or path of a folder, or ids of files; then the folder of the disk')
    .addOption(new Option('--original', 'byte for byte as they were uploaded').conflicts('size'))
    .addOption(new Option('--size <size>', 'pictures in a size, videos as preview').choices(SIZES))
    .option('--sidecars', 'NAME.xmp and NAME.json with the metadata beside each file')
    .option('--transfers <number>', 'files that are downloaded at a time', positive, 4)
    .option(...BWLIMIT)
    .action(signedIn<Options>(surroundings, download))
}

async function download(
  session: Session,
  args: readonly string[],
  { original, size, sidecars, transfers, bwlimit }: Options,
): Promise<void> {
  const [given, target] = [args.slice(0, -1), resolve(args.at(-1)!)]
  if (given.length === 0) throw new Failure(exitCodes.usage, 'Say what to download, then where to.')
  if ((await stat(target).catch(() => undefined))?.isDirectory() === false) throw new Failure(exitCodes.error, `${target} is no folder.`)
  const { profile, surroundings, output } = session
  const what: Download['what'] = size ?? (original ? 'original' : 'default')
  const files = await filesOf(session.transfers, given)
  await mkdir(target, { recursive: true })
  const state = new StateFile(xdgFolder(surroundings.environment, 'XDG_STATE_HOME', '.local/state'), ['download', profile.url])
  const { exitCode, ...numbers } = await runDownload(session, {
    files,
    target,
    what,
    sidecars: sidecars ?? false,
    transfers,
    state,
    isDryRun: false,
    rate: bwlimit,
  })
  output.summary(numbers)
  if (exitCode !== exitCodes.done) throw new Reported(exitCode)
}

async function filesOf(library: MediaLibrary, given: readonly string[]): Promise<AsyncIterable<LibraryFile> | LibraryFile[]> {
  const [only] = given
  if (given.length === 1 && idOf(only!) === undefined) return libraryFiles(library, (await findFolder(library, only!)).id)
  const names = new Names()
  const files: LibraryFile[] = []
  for (const text of given.flatMap((each) => each.split(','))) {
    const id = idOf(text)
    const media = id && (await unlessMissing(library.get('/media/{id}', { params: { path: { id } } })))
    if (!media) {
      if (given.length === 1) return libraryFiles(library, (await findFolder(library, only!)).id)
      throw new Failure(exitCodes.fileNotFound, `There is no file ${text}.`)
    }
    if (media.status !== 'available') throw new Failure(exitCodes.error, `File ${text} is still being imported.`)
    const { filename, file_disksize: bytes, file_md5: md5, file_mimetype: type } = media
    const { version } = await library.get('/media/{id}/version', { params: { path: { id } } })
    files.push({ id, folder: 0, folders: [], name: names.free(filename), bytes, md5, type, version })
  }
  return files
}
