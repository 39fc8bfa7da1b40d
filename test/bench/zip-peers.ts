import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipArchive } from 'archiver'
import { ZipFile } from 'yazl'

/** Writes files into an archive, stored as they are. */
export type ZipWriter = (paths: readonly string[], target: string) => Promise<void>

/** Common libraries that write the same archive from files on disk. Unlike the service they don't wait until it is on the disk. */
export const zipPeers: Readonly<Record<string, ZipWriter>> = {
  async archiver(paths, target) {
    const archive = new ZipArchive({ store: true })
    for (const path of paths) archive.file(path, { name: basename(path) })
    await Promise.all([pipeline(archive, createWriteStream(target)), archive.finalize()])
  },
  async yazl(paths, target) {
    const archive = new ZipFile()
    for (const path of paths) archive.addFile(path, basename(path), { compress: false })
    archive.end()
    await pipeline(archive.outputStream, createWriteStream(target))
  },
}
