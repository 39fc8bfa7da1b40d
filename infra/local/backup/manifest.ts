import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { BUCKETS, DATABASES, SECRETS } from './contents.ts'
import { OBJECT_LIST, ObjectList } from './object-list.ts'

export const MANIFEST = 'manifest.json'

const Count = z.number().int().min(0)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Refuses paths that lead out of the backup. */
const paths = [...DATABASES, OBJECT_LIST] as const
const SmallFile = z.string().regex(/^(format|secrets|demo)\.json$/)

/** Manifest of a backup. Written last: a folder without one is no backup. */
const Manifest = z.strictObject({
  /** Format of the data folder. */
  schema: Count,
  product_version: z.string(),
  /** UTC. */
  made: z.iso.datetime(),
  counts: z.strictObject({
    /** Rows of the table. */
    items: Count,
    objects: Count,
    /** Object files, and their bytes. */
    files: Count,
    bytes: Count,
  }),
  /** SHA-256 by path. */
  databases: z.partialRecord(z.enum(paths), Sha256),
  /** SHA-256 of other files by path. */
  files: z.record(SmallFile, Sha256),
})

export type Manifest = z.infer<typeof Manifest>

/** A backup differs from its manifest, or is unreadable. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
}

/** Describes the files of a backup. @param folder of the backup */
export async function describe(
  folder: string,
  {
    databases,
    smallFiles,
    ...known
  }: Pick<Manifest, 'schema' | 'product_version' | 'made'> & { databases: string[]; smallFiles: string[] },
): Promise<Manifest> {
  return {
    ...known,
    counts: countsIn(folder, databases),
    databases: await sha256Of(folder, [...databases, OBJECT_LIST]),
    files: await sha256Of(folder, smallFiles),
  }
}

/** @throws BackupDamaged */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  } catch (cause) {
    throw new BackupDamaged(`${join(folder, MANIFEST)} is no manifest of a backup`, { cause })
  }
}

/** Compares the files of a backup with its manifest. @throws BackupDamaged */
export async function requireTruth(folder: string, manifest: Manifest): Promise<void> {
  const { databases, files } = manifest
  for (const path of ['table.db', ...BUCKETS.map((bucket) => `${bucket}/index.db`), OBJECT_LIST, SECRETS]) {
    if (!Object.hasOwn(databases, path) && !Object.hasOwn(files, path)) throw new BackupDamaged(`${folder} lacks ${path}`)
  }
  for (const [path, sha256] of Object.entries({ ...databases, ...files })) {
    const found = await sha256OfFile(join(folder, path)).catch((cause) => {
      throw new BackupDamaged(`${join(folder, path)} cannot be read`, { cause })
    })
    if (found !== sha256) throw new BackupDamaged(`${join(folder, path)} has another SHA-256 than the manifest says`)
  }
  const stored = Object.keys(databases).filter((path) => path !== OBJECT_LIST)
  if (JSON.stringify(countsIn(folder, stored)) !== JSON.stringify(manifest.counts)) {
    throw new BackupDamaged(`${folder} holds other numbers of items, objects, files or bytes than its manifest says`)
  }
}

/** The list of a backup's files; undefined where it differs from the manifest. */
export async function listOf(folder: string): Promise<ObjectList | undefined> {
  const path = join(folder, OBJECT_LIST)
  const manifest = await readManifest(folder).catch(() => undefined)
  const isTrue = manifest && manifest.databases[OBJECT_LIST] === (await sha256OfFile(path).catch(() => undefined))
  return isTrue ? ObjectList.open(path) : undefined
}

function countsIn(folder: string, databases: readonly string[]): Manifest['counts'] {
  const count = (path: string, table: string) => (databases.includes(path) ? countIn(join(folder, path), table) : 0)
  using list = ObjectList.open(join(folder, OBJECT_LIST))
  const objects = BUCKETS.reduce((sum, bucket) => sum + count(`${bucket}/index.db`, 'objects'), 0)
  return { items: count('table.db', 'items'), objects, ...list.sum() }
}

function countIn(path: string, table: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()!.count)
  } finally {
    database.close()
  }
}

async function sha256Of(folder: string, paths: readonly string[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const path of paths) hashes[path] = await sha256OfFile(join(folder, path))
  return hashes
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
