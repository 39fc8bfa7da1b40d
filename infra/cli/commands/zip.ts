import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { MediaLibrary } from '../../client/client.ts'
import { untilDone } from '../../client/until-done.ts'
import { type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, mediaIdsOf } from '../folders.ts'
import { findNamed } from '../named.ts'

export function zipCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('zip')
    .description('make a ZIP archive of a folder or of files, and tell its address')
    .argument('<WHAT...>', 'id or path of a folder, or ids of files')
    .option('-o, --output <FILE>', 'download it')
    .action(
      signedIn<{ output?: string }>(surroundings, async ({ library, output, surroundings: { signal } }, args, { output: file }) => {
        const job = await begin(library, args)
        const url = await untilDone(async () => {
          const { state, url: found } = await library.get('/zip-file/{job_id}', { params: { path: { job_id: job } } })
          if (state === 'FAILED') throw new Failure(exitCodes.error, 'The archive could not be made.')
          return found ?? undefined
        }, signal)
        if (file !== undefined) await save(url, file, signal)
        output.line({ job_id: job, url, ...(file !== undefined && { file }) }, file ?? url)
      }),
    )
}

async function begin(library: MediaLibrary, args: readonly string[]): Promise<string> {
  if (args.length > 1) return (await library.post('/zip-file', { body: { media_ids: mediaIdsOf(args) } })).job_id
  const { files, folders } = await findNamed(library, args, 0)
  const ids = [...files.values()].flat()
  if (ids.length > 0) return (await library.post('/zip-file', { body: { media_ids: ids } })).job_id
  const { id } = folders[0] ?? (await findFolder(library, args[0]!))
  return (await library.post('/folder/{id}/zip-file', { params: { path: { id } } })).job_id
}

async function save(url: string, file: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw new Failure(exitCodes.error, `Storage answers ${response.status}.`)
  const unfinished = `${file}.part`
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(unfinished), { signal })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
