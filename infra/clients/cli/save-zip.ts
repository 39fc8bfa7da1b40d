import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exitCodes, Failure } from './exit-code.ts'
import { type Fetching, fetchRest, restOf, untilFetched } from './fetch-rest.ts'

/** An archive that is there: what its job is, and where it is now. */
export interface Archive {
  job: string
  /** Addresses end some time: each try asks for one. */
  url(): Promise<string>
}

/** Where an archive goes. */
export type ArchivePlace = { file: string } | { bytes: Writable; isStandardOutput: boolean }

/**
 * The place of an archive: standard output for `-`, what is no regular file as it stands (a pipe, a device), else a file.
 * @throws Failure where no file can be there: looked at before the archive is made
 */
export async function archivePlace(given: string, standardOutput: Writable): Promise<ArchivePlace> {
  if (given === '-' || given === '/dev/stdout') return { bytes: standardOutput, isStandardOutput: true }
  const file = await realpath(given).catch(() => given)
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new Failure(exitCodes.usage, `${given} is a folder. Name a file in it.`)
  if (found && !found.isFile()) return { bytes: createWriteStream(file), isStandardOutput: false }
  const folder = dirname(file)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Failure(exitCodes.fileNotFound, `There is no folder ${folder}.`)
  return { file }
}

/**
 * Downloads an archive. A file gets its name when it is whole. Until then its bytes are in a hidden file beside it, where a later run for the
 * same archive goes on; parts of other archives that were to be this file are removed.
 */
export async function saveArchive(archive: Archive, place: ArchivePlace, fetching: Fetching): Promise<void> {
  if ('bytes' in place) {
    await writeArchive(archive, place.bytes, fetching)
    if (!place.isStandardOutput) place.bytes.end()
    return
  }
  const { file } = place
  const own = `.zip-${createHash('md5').update(basename(file)).digest('hex').slice(0, 8)}-`
  const unfinished = `${own}${archive.job}.part`
  const folder = dirname(file)
  for (const name of await readdir(folder)) if (name.startsWith(own) && name !== unfinished) await rm(join(folder, name))
  await untilFetched(async () => fetchRest(await archive.url(), join(folder, unfinished), fetching), fetching.signal)
  await rename(join(folder, unfinished), file)
}

/** Writes an archive into what can't be written again: another try goes on behind what was written. */
async function writeArchive({ url }: Archive, into: Writable, fetching: Fetching): Promise<void> {
  let written = 0
  await untilFetched(async () => {
    const rest = await restOf(await url(), written, fetching)
    if (!rest) return
    if (rest === 'changed' || rest.from !== written) throw new Failure(exitCodes.error, 'The archive has changed.')
    const counting = async function* () {
      for await (const chunk of rest.bytes) {
        written += chunk.length
        yield chunk
      }
    }
    await pipeline(counting(), into, { signal: fetching.signal, end: false })
  }, fetching.signal)
}
