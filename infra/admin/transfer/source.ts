import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Readable } from 'node:stream'

/** What a folder of a source holds. Links, pipes and devices are `other`. */
export interface SourceEntry {
  name: string
  kind: 'file' | 'folder' | 'other'
  /** Of a file. */
  bytes: number
}

/** Where files come from: a folder of the disk, or of a bucket. Paths are relative, with `/`; the empty one is the folder itself. */
export interface Source {
  /** Name of the folder itself. */
  name: string
  /** Sorted by name. @throws SourceUnreadable */
  list(path: string): Promise<SourceEntry[]>
  /** @throws SourceUnreadable, also while it is read */
  open(path: string): Promise<Readable>
}

/** A file or folder of a source can't be read. The message follows its path. */
export class SourceUnreadable extends Error {
  override name = 'SourceUnreadable'
}

const READ_BYTES = 1024 * 1024
const byName = (one: SourceEntry, other: SourceEntry) => (one.name < other.name ? -1 : 1)

/** A folder of the disk. Links in it are never followed. @throws Error in a sentence */
export async function folderSource(given: string): Promise<Source> {
  const root = await realpath(given).catch((error: Error) => {
    throw new Error(`${resolve(given)} can't be read: ${error.message}.`)
  })
  if (!(await lstat(root)).isDirectory()) throw new Error(`${given} is no folder.`)
  return {
    name: basename(root),
    list: (path) =>
      readable(async () => {
        const entries: SourceEntry[] = []
        for (const name of await readdir(join(root, path))) {
          const found = await lstat(join(root, path, name))
          const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
          entries.push({ name, kind, bytes: found.size })
        }
        return entries.sort(byName)
      }),
    open: (path) =>
      readable(async () => {
        // Whatever stands there by now is opened without waiting, and without following a link.
        const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
        return guarded(handle.createReadStream({ highWaterMark: READ_BYTES }))
      }),
  }
}

/** Objects below a prefix of a bucket: `s3://bucket/prefix`. @throws Error in a sentence */
export async function bucketSource(address: string): Promise<Source> {
  const [, bucket, given = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(address) ?? []
  if (bucket === undefined) throw new Error(`${address} names no bucket: it must be like s3://bucket/folder.`)
  const prefix = given === '' || given.endsWith('/') ? given : `${given}/`
  const [{ GetObjectCommand, paginateListObjectsV2 }, { s3Client }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('../../../shared/backends/objects/s3.ts'),
  ])
  const client = s3Client()
  return {
    name: basename(prefix) || bucket,
    list: (path) =>
      readable(async () => {
        const below = path === '' ? prefix : `${prefix}${path}/`
        const entries: SourceEntry[] = []
        for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: below, Delimiter: '/' })) {
          for (const { Prefix = '' } of page.CommonPrefixes ?? [])
            entries.push({ name: Prefix.slice(below.length, -1), kind: 'folder', bytes: 0 })
          for (const { Key = '', Size = 0 } of page.Contents ?? [])
            if (Key !== below) entries.push({ name: Key.slice(below.length), kind: 'file', bytes: Size })
        }
        return entries.sort(byName)
      }),
    open: (path) =>
      readable(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${path}` }))
        return guarded(Body as Readable)
      }),
  }
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (error: unknown) => new SourceUnreadable(`can't be read: ${(error as Error).message}`, { cause: error })

/** A stream whose errors are those of the source, not of where its bytes go. */
function guarded(stream: Readable): Readable {
  async function* chunks() {
    try {
      yield* stream
    } catch (error) {
      throw unreadable(error)
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
