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
