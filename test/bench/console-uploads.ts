import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import type { Row } from './report.ts'
import type { ServiceProcess } from './service-process.ts'

/** Uploads of a tree end within this, in milliseconds. */
const LONGEST_UPLOAD = 600_000

/** A tree of the disk that people drop on the console. */
interface DroppedTree {
  directory: string
  files: number
  /** With the topmost. */
  folders: number
}

/** Folders of three levels, whose names addresses and systems treat specially. */
const FOLDERS = ['', 'a#1', 'a#1/100%', '\u{1F30A} waves', 'été'.normalize('NFD'), `${'été'.normalize('NFD')}/in & <b>`]
const EMPTY_FOLDER = 'a#1/nothing'

/** Writes small texts into folders of three levels, one of which stays empty. */
export async function writeDroppedTree(directory: string, files: number): Promise<DroppedTree> {
  await mkdir(join(directory, EMPTY_FOLDER), { recursive: true })
  for (let n = 0; n < files; n++) {
    const path = join(directory, FOLDERS[n % FOLDERS.length]!, `file ${n} #%.txt`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `text ${n}`)
  }
  return { directory, files, folders: FOLDERS.length + 1 }
}

/** Drops a tree on an empty folder, and again after a reload. */
export async function dropTree(
  page: Page,
  devtools: CDPSession,
  service: ServiceProcess,
  { directory, files, folders }: DroppedTree,
): Promise<Row[]> {
  const client = await service.client()
  const { body: target } = await client['create-folder']({ body: { name: 'Dropped', parent: null } })
  const times: number[] = []
  const told: string[] = []
  for (const isAgain of [false, true]) {
    await page.goto(`${service.baseUrl}/console/folder/${target.id}`)
    await page.getByRole('button', { name: 'Account' }).waitFor()
    const started = performance.now()
    await drop(page, devtools, directory)
    const end = page
      .getByRole('region', { name: 'Uploads' })
      .getByRole('status')
      .filter({ hasText: isAgain ? 'uploaded 0' : 'uploaded' })
    await end.waitFor({ timeout: LONGEST_UPLOAD })
    times.push((performance.now() - started) / 1000)
    told.push((await end.textContent()) ?? '')
  }
  const number = (text: string | undefined, what: string) =>
    Number(new RegExp(`${what} ([\\d,]+)`).exec(text ?? '')?.[1]?.replaceAll(',', '') ?? Number.NaN)
  const made = await foldersBelow(client, target.id)
  return [
    { what: `a dropped tree of ${files} files: uploaded`, value: number(told[0], 'uploaded'), unit: 'files', atLeast: files },
    { what: 'its folders that are there', value: made, unit: 'folders', atLeast: folders, atMost: folders },
    { what: 'until the last one was uploaded', value: times[0]!, unit: 's' },
    { what: 'dropped again after a reload: already there', value: number(told[1], 'already there'), unit: 'files', atLeast: files },
    { what: 'until that was told', value: times[1]!, unit: 's' },
  ]
}

/** Drops a large tree, of which nothing is sent: requests that change something get no answer. */
export async function queueTree(
  page: Page,
  devtools: CDPSession,
  service: ServiceProcess,
  { directory, files }: DroppedTree,
): Promise<Row[]> {
  const client = await service.client()
  const { body: target } = await client['create-folder']({ body: { name: 'Queued', parent: null } })
  await page.goto(`${service.baseUrl}/console/folder/${target.id}`)
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.route(`${service.baseUrl}/**`, (route) => (route.request().method() === 'GET' ? route.continue() : undefined))
  const heapBefore = await heapOf(devtools)
  await page.evaluate(`window.longestTask = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration)
    }).observe({ type: 'longtask' })`)
  const started = performance.now()
  await drop(page, devtools, directory)
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText(`of ${files.toLocaleString('en')}`)
    .waitFor({ timeout: LONGEST_UPLOAD })
  const queued = performance.now() - started
  // The sum of their sizes is told when the browser has opened all of them.
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText(/ of .* \/ /s)
    .waitFor({ timeout: LONGEST_UPLOAD })
  const opened = performance.now() - started
  // The queue looks files up among earlier uploads before it sends the first.
  await page.waitForTimeout(2_000)
  const longestTask = await page.evaluate<number>('window.longestTask')
  const heap = await heapOf(devtools)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return [
    { what: `until ${files} dropped files are in the queue`, value: queued / 1000, unit: 's', atMost: 5 },
    { what: 'until the browser has opened all of them', value: opened / 1000, unit: 's' },
    { what: 'the longest task meanwhile', value: longestTask, unit: 'ms', atMost: 200 },
    { what: "the page's heap with them", value: heap / 1e6, unit: 'MB', atMost: 400 },
    { what: 'more than before', value: (heap - heapBefore) / 1e6, unit: 'MB' },
  ]
}

/** Bytes of the page's heap that are in use, by its script and by what the browser keeps for it, such as files. */
async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize + embedderHeapUsedSize + backingStorageSize
}

async function foldersBelow(client: Awaited<ReturnType<ServiceProcess['client']>>, parent: number): Promise<number> {
  const { body } = await client['list-folders']({ query: { parent: String(parent) } })
  let count = body.length
  for (const { id } of body) count += await foldersBelow(client, id)
  return count
}

/** Drops a folder of the disk on the page, as a person does; again where a busy Chromium makes a leave of the drop. */
async function drop(page: Page, devtools: CDPSession, directory: string): Promise<void> {
  const data = { items: [], files: [directory], dragOperationsMask: 1 }
  const at = { x: 800, y: 600 }
  await page.evaluate(`window.drops = 0; addEventListener('drop', () => window.drops++, { capture: true })`)
  for (let isDropped = false; !isDropped; ) {
    await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at, data })
    await page.getByText('Drop to upload').waitFor()
    for (const type of ['dragOver', 'drop'] as const) await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
    isDropped = await page.evaluate<boolean>('window.drops > 0')
  }
}
