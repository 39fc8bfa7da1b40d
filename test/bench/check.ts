import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { openLibrary } from '../../infra/admin/library.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import { type MediaRecord, objectKeys } from '../../shared/library/media/media.ts'
import { makeLibrary } from '../infra/admin/run-command.ts'
import { by } from '../support/library.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders } from './folders-in-table.ts'
import { watchMemory } from './processes.ts'
import type { Row } from './report.ts'
import { library } from './search-library.ts'
import { temporaryData } from './service-process.ts'

/** Ids of the generated files' folders. */
const FOLDERS = Array.from({ length: 2_100 }, (_, n) => n + 1)

/** The operator's `check` on a large library in which nothing is wrong: a process of its own, as it is on the command line. */
export async function run({ files = 100_000 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  const { items, objects } = await fill(data.directory, files)
  const started = performance.now()
  const command = spawn(process.execPath, [join(import.meta.dirname, '../../infra/admin/main.ts'), 'check', '--json'], {
    env: { ...process.env, DATA_DIR: data.directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const peak = watchMemory(command.pid!)
  const [answer] = await Promise.all([json(command.stdout), once(command, 'close')])
  const bytes = peak()
  const ms = performance.now() - started
  if (!(answer as { clean: boolean }).clean) throw new Error(JSON.stringify(answer).slice(0, 1_000))
  return [
    { what: `check of ${items} items and ${objects} objects`, value: ms / 1000, unit: 's' },
    { what: 'for each item or object', value: (ms * 1000) / (items + objects), unit: 'µs' },
    { what: 'memory of its process, peak', value: bytes / 1024 ** 2, unit: 'MB' },
  ]
}

/** @returns how many items and objects there are then */
async function fill(directory: string, files: number): Promise<{ items: number; objects: number }> {
  await makeLibrary(directory)
  const open = await openLibrary({ stack: undefined, environment: { DATA_DIR: directory } })
  const commands = { ...open, by }
  const { table, scanner, openMedia, close } = open
  try {
    const { companyId } = await openCompany(commands, 'Company')
    const account = { companyId, username: 'user', fullname: 'User', password: 'password', admin: true }
    const { userId } = await addUser(commands, account)
    const folders = FOLDERS.map((folderId) => ({ folderId, name: `Folder ${folderId}`, parent: null }))
    await putFolders(table, companyId, folders)
    await putFiles(table, { companyId, userId }, library(files))
    await openMedia()
    const index = new DatabaseSync(join(embeddedLayout(directory).media, 'index.db'))
    let [items, objects] = [0, 0]
    let cursor: string | undefined
    do {
      const page = await scanner.scan({ cursor })
      items += page.items.length
      const media = page.items.filter(({ sk }) => sk === 'MEDIA') as unknown[] as MediaRecord[]
      objects += putObjects(index, media.flatMap(objectsOf))
      cursor = page.cursor
    } while (cursor)
    index.close()
    return { items, objects }
  } finally {
    close()
  }
}

/** Keys and sizes of a file's objects. */
function objectsOf(media: MediaRecord): { key: string; bytes: number }[] {
  const renditions = Object.values(media.renditions ?? {}).map(({ key, bytes }) => ({ key, bytes }))
  return [{ key: objectKeys.original(media), bytes: media.bytes ?? 0 }, { key: objectKeys.tags(media), bytes: 1 }, ...renditions]
}

/** Straight into the bucket's index: a walk reads no bytes, and each object by itself would take as long as the whole bench. */
function putObjects(index: DatabaseSync, objects: readonly { key: string; bytes: number }[]): number {
  index.exec('BEGIN')
  const put = index.prepare("INSERT INTO objects (key, file, bytes, content_type, modified) VALUES (?, ?, ?, 'image/jpeg', 0)")
  for (const { key, bytes } of objects) put.run(Buffer.from(key), key, bytes)
  index.exec('COMMIT')
  return objects.length
}
