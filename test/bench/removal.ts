import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import type { ObjectReader } from '../../shared/backends/objects/port.ts'
import type { SearchDocument } from '../../shared/backends/search/port.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { deleteFolder } from '../../shared/library/folders/folders.ts'
import { objectKeys } from '../../shared/library/media/media.ts'
import { everyObject } from '../../shared/library/pages.ts'
import { removeContents, SETTLED_SECONDS } from '../../shared/library/removals/folder.ts'
import { loadTree } from '../../shared/library/tree/tree-store.ts'
import { usageOfCompany } from '../../shared/library/usage/usage.ts'
import { toCompanyId, toFolderId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { runCommand } from '../infra/admin/run-command.ts'
import { provisioning } from '../support/accounts.ts'
import { countingTable, newCount } from '../support/counting-table.ts'
import { by, openTestCompany, requestOf, TestClock } from '../support/library.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders, type WantedFolder } from './folders-in-table.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'

/** Subfolders of each folder of the tree. */
const WIDTH = 10
/** The tree's root, its first subfolder, and a folder outside that also holds some of the files. */
const [ROOT, FIRST, OUTSIDE] = [1_000, 1_001, 999]
/** Every so many-th file is also in the folder outside. */
const SHARED = 10
/** How often the table is asked how far the job is, in milliseconds. */
const LOOK = 250

/**
 * A large tree over HTTP: thrown away, restored, a part deleted and the rest purged, and the job that takes away what it held. Then the
 * operations on the table that the job needs, counted on a tenth of the tree.
 */
export async function run({ folders = 2_000, pointers = 100_000 } = {}): Promise<Row[]> {
  return [...(await throughTheService(folders, pointers)), ...(await counted(folders / 10, pointers / 10))]
}

async function throughTheService(folders: number, pointers: number): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { company_id: companyId, user_id: userId } = service.demo
  const accounts = await provisioning(service)
  try {
    const others = (await loadTree(accounts, companyId)).allContents().length
    await putFolders(accounts.table, companyId, tree(folders))
    await putFiles(accounts.table, { companyId, userId }, files(folders, pointers))
    await putObjects(data.directory, companyId, pointers)
    const client = await service.client()
    const took = async (work: () => Promise<{ status: number }>) => {
      const started = performance.now()
      const { status } = await work()
      if (status !== 200) throw new Error(`it answered ${status}`)
      return performance.now() - started
    }
    const answers = {
      move_to_trash: await took(() => client['move-folder-to-trash']({ params: { id: ROOT } })),
      'moving it out again': await took(() => client['change-folder']({ params: { id: ROOT }, body: { parent: null } })),
      'DELETE of a tenth of it': await took(() => client['delete-folder']({ params: { id: FIRST } })),
      'purge of the rest': await took(() => client['purge-folder']({ params: { id: ROOT } })),
    }
    const started = performance.now()
    const { body: listed } = await client['list-folders']({ query: { parent: ROOT } })
    const { body: found } = await client['search-media']({ query: { folder_ids: [ROOT], recursive: 'true', return_values: ['created'] } })
    if (listed.length + found.response.hits > 0) throw new Error('what was deleted is still there')
    const kept = pointers / SHARED
    while ((await usageOfCompany(accounts, companyId)).files > kept) await sleep(LOOK)
    const gone = performance.now() - started
    const lasting = others + [ROOT, OUTSIDE].length
    while ((await loadTree(accounts, companyId)).allContents().length > lasting) await sleep(LOOK)
    const objects = openEmbeddedObjects(embeddedLayout(data.directory).media)
    while ((await countObjects(objects, `${companyId}/`)) > OBJECTS * kept) await sleep(LOOK * 4)
    const clean = performance.now() - started
    objects.close()
    const { out } = await runCommand(data.directory, ['check', '--json'])
    return [
      ...Object.entries(answers).map(([what, value]) => ({ what: `${what}, ${folders} folders, ${pointers} files`, value, unit: 'ms' })),
      { what: 'until the last pointer is gone', value: gone / 1000, unit: 's' },
      { what: 'the same, a pointer', value: gone / pointers, unit: 'ms' },
      { what: `until folder records and objects are gone too (with a pause of ${SETTLED_SECONDS} s)`, value: clean / 1000, unit: 's' },
      { what: 'problems that `admin check` finds afterwards', value: JSON.parse(out).problems.length, unit: '', atMost: 0 },
    ]
  } finally {
    accounts.close()
  }
}

/** The same job in this process, on a table that counts. */
async function counted(folders: number, pointers: number): Promise<Row[]> {
  await using data = await temporaryData()
  const embedded = openEmbeddedTable(join(data.directory, 'table.sqlite'))
  const count = newCount()
  const clock = new TestClock()
  try {
    const { companyId, admin } = await openTestCompany({ table: embedded, clock, by })
    await putFolders(embedded, companyId, tree(folders))
    await putFiles(embedded, { companyId, userId: admin.user.userId }, files(folders, pointers))
    await deleteFolder(requestOf({ table: embedded, clock }, admin), toFolderId(ROOT))
    const table = countingTable(embedded, count)
    const started = performance.now()
    await removeContents({ table, clock, by }, { companyId, folderId: toFolderId(ROOT) }, () => false)
    clock.advance(SETTLED_SECONDS)
    await removeContents({ table, clock, by }, { companyId, folderId: toFolderId(ROOT) }, () => false)
    const took = performance.now() - started
    const items = pointers + folders
    const each = (what: string, value: number, unit = '') => ({ what: `${what}, per pointer or folder`, value: value / items, unit })
    return [
      each(`in process, ${folders} folders, ${pointers} files: time`, took, 'ms'),
      each('items read by key', count.gets),
      each('items read by queries', count.queried),
      each('queries', count.queries),
      each('items written or deleted', count.writes),
      each('transactions', count.commits),
    ]
  } finally {
    embedded.close()
  }
}

function tree(count: number): WantedFolder[] {
  const folders = Array.from({ length: count }, (_, n): WantedFolder => {
    return { folderId: ROOT + n, name: `Folder ${n}`, parent: n === 0 ? null : ROOT + Math.floor((n - 1) / WIDTH) }
  })
  return [{ folderId: OUTSIDE, name: 'Outside', parent: null }, ...folders]
}

function* files(folders: number, pointers: number): Generator<SearchDocument> {
  for (let n = 0; n < pointers; n++) {
    const inside = ROOT + (n % folders)
    yield {
      mediaId: 1 + n,
      revision: 1,
      folders: n % SHARED === 0 ? [inside, OUTSIDE] : [inside],
      kind: 'generic',
      created: n,
      cameraCreated: null,
      modified: n,
      width: null,
      height: null,
      latitude: null,
      longitude: null,
      expires: null,
      title: [`File ${n}`],
      description: [],
      keywords: ['generated'],
      suggestedKeywords: [],
      byline: '',
      copyright: '',
      bytes: 1,
      filename: `${n}.bin`,
    }
  }
}

/** Objects of each file: original and tags. */
const OBJECTS = 2

async function putObjects(directory: string, companyId: number, count: number): Promise<void> {
  const objects = openEmbeddedObjects(embeddedLayout(directory).media)
  const labels = { contentType: 'application/octet-stream' }
  for (let n = 0; n < count; n++) {
    const media = { companyId: toCompanyId(companyId), mediaId: toMediaId(1 + n) }
    await Promise.all([objectKeys.original(media), objectKeys.tags(media)].map((key) => objects.put(key, Buffer.from('{}'), labels)))
  }
  objects.close()
}

async function countObjects(objects: ObjectReader, prefix: string): Promise<number> {
  let count = 0
  for await (const _ of everyObject(objects, prefix)) count++
  return count
}
