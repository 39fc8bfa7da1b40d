import type { Command } from 'commander'
import type { MediaLibrary } from '../../client/client.ts'
import { untilDone } from '../../client/until-done.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, mediaIdsOf } from '../folders.ts'
import { findNamed } from '../named.ts'
import { startProgress } from '../progress.ts'
import type { Rate } from '../rate.ts'
import { archivePlace, saveArchive } from '../save-zip.ts'
import { BWLIMIT } from '../values.ts'

interface Options {
  output?: string
  bwlimit?: Rate
}

export function zipCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('zip')
    .description('make a ZIP archive of a folder or of files, and tell its address')
    .argument('<WHAT...>', 'id or path of a folder, or ids of files')
    .option('-o, --output <FILE>', 'download it; - is standard output')
    .option(...BWLIMIT)
    .action(signedIn<Options>(surroundings, zip))
}

async function zip(session: Session, args: readonly string[], { output: file, bwlimit: rate }: Options): Promise<void> {
  const { transfers, output, surroundings } = session
  const { signal } = surroundings
  const place = file === undefined ? undefined : await archivePlace(file, surroundings.bytes)
  const isOutput = place && 'bytes' in place && place.isStandardOutput
  if (isOutput && output.isJson) throw new Failure(exitCodes.usage, 'Standard output is the archive: leave --json out.')
  const job = await begin(transfers, args)
  const url = async () => {
    const { state, url: found } = await transfers.get('/zip-file/{job_id}', { params: { path: { job_id: job } }, signal })
    if (state === 'FAILED') throw new Failure(exitCodes.error, 'The archive could not be made.')
    return found ?? undefined
  }
  const address = await untilDone(url, signal)
  if (place) {
    const progress = startProgress(surroundings, 'Downloading')
    const fetching = { signal, rate, onBytes: (bytes: number) => progress.add(bytes) }
    await saveArchive({ job, url: () => untilDone(url, signal) }, place, fetching).finally(() => progress.end())
  }
  if (!isOutput) output.line({ job_id: job, url: address, ...(file !== undefined && { file }) }, file ?? address)
}

async function begin(library: MediaLibrary, args: readonly string[]): Promise<string> {
  if (args.length > 1) return (await library.post('/zip-file', { body: { media_ids: mediaIdsOf(args) } })).job_id
  const { files, folders } = await findNamed(library, args, 0)
  const ids = [...files.values()].flat()
  if (ids.length > 0) return (await library.post('/zip-file', { body: { media_ids: ids } })).job_id
  const { id } = folders[0] ?? (await findFolder(library, args[0]!))
  return (await library.post('/folder/{id}/zip-file', { params: { path: { id } } })).job_id
}
