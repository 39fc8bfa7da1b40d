import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { DATABASE } from './forget.ts'

/** A file of the disk and the folder that it goes to. The same file in another folder is another upload. */
export interface Source {
  user: number
  folder: number
  file: File
}

/** What became of an upload. */
export interface Outcome {
  /** The file of the library. */
  mediaId?: number
  /** An upload in parts that isn't whole yet. */
  uploadId?: string
  /** The file of the library that this upload replaces. */
  replaces?: number
}

type Key = [user: number, folder: number, name: string, bytes: number, modified: number]

interface Schema extends DBSchema {
  uploads: {
    key: Key
    /** Never holds contents. Times are in milliseconds. */
    value: Outcome & { key: Key; at: number }
    indexes: { at: number }
  }
}

/** Records that the browser keeps. */
const MOST = 50_000
/** Records that are written between two looks at how many there are. */
const TRIM_EVERY = 1_000
/** Records that are read at a time: more keep the page busy. */
const READ_AT_A_TIME = 2_000

let opened: Promise<IDBPDatabase<Schema> | undefined> | undefined
let written = 0

const database = () => (opened ??= open())

/** @returns undefined where the browser keeps nothing, as some do in private windows: then everything is uploaded */
async function open(): Promise<IDBPDatabase<Schema> | undefined> {
  try {
    return await openDB<Schema>(DATABASE, 1, {
      upgrade: (created) => void created.createObjectStore('uploads', { keyPath: 'key' }).createIndex('at', 'at'),
      // A sign-out, maybe in another tab, deletes it. From then on this page keeps nothing.
      blocking: (_present, _wanted, event) => (event.target as IDBDatabase).close(),
    })
  } catch {
    return undefined
  }
}

const keyOf = ({ user, folder, file }: Source): Key => [user, folder, file.name, file.size, file.lastModified]

/** Notes what became of an upload. A browser that refuses that only sends the file again some day. */
export async function keepUpload(source: Source, outcome: Outcome): Promise<void> {
  const kept = await database()
  try {
    await kept?.put('uploads', { ...outcome, key: keyOf(source), at: Date.now() })
    if (kept && written++ % TRIM_EVERY === 0) await trim(kept)
  } catch {}
}

/** Forgets an upload that was given up. */
export async function forgetUpload(source: Source): Promise<void> {
  const kept = await database()
  await kept?.delete('uploads', keyOf(source)).catch(() => undefined)
}

/** Uploads to a folder that the browser keeps. */
export interface KeptUploads {
  /** Files of the library that they became. */
  mediaIds: readonly number[]
  /** What became of a file. */
  of(file: File): Outcome | undefined
}

/** A user's uploads to a folder of files that have certain names. */
export async function uploadsTo(user: number, folder: number, names: ReadonlySet<string>): Promise<KeptUploads> {
  const outcomes = new Map<string, Outcome>()
  try {
    const kept = await database()
    // An array is greater than all numbers and texts.
    const end = [user, folder, []] as unknown as Key
    let start = [user, folder] as unknown as Key
    while (kept) {
      const some = await kept.getAll('uploads', IDBKeyRange.bound(start, end, true), READ_AT_A_TIME)
      for (const { key, ...outcome } of some) if (names.has(key[2])) outcomes.set(JSON.stringify(key), outcome)
      if (some.length < READ_AT_A_TIME) break
      start = some.at(-1)!.key
    }
  } catch {}
  return {
    mediaIds: [...outcomes.values()].flatMap(({ mediaId }) => mediaId ?? []),
    of: (file) => outcomes.get(JSON.stringify(keyOf({ user, folder, file }))),
  }
}

/** Forgets the oldest uploads above the limit. */
async function trim(kept: IDBPDatabase<Schema>): Promise<void> {
  const { store } = kept.transaction('uploads', 'readwrite')
  let surplus = (await store.count()) - MOST
  for (let oldest = await store.index('at').openCursor(); oldest && surplus > 0; surplus--) {
    await oldest.delete()
    oldest = await oldest.continue()
  }
}
