import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, withBrowser } from '../support/browser.ts'
import { type Service, startService } from '../support/service.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { picture } from './library.ts'

/** Files and folders of three levels, with names that addresses and systems treat specially. The last folder is empty. */
const FILES = ['a#1.jpg', '100%.jpg', 'été 🌊.jpg'.normalize('NFD'), 'in/deep/er.txt', 'in/deep/er & <b>.txt', 'in/b.jpg', 'empty.txt']
const EMPTY_FOLDER = 'in/nothing'

describe('uploads in the console', withBrowser, () => {
  let service: Service
  let browser: Browser
  let client: Awaited<ReturnType<Service['client']>>
  let source: string
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    client = await service.client()
    source = join(await mkdtemp(join(tmpdir(), 'console-uploads-')), 'Trip')
    for (const [index, path] of FILES.entries()) {
      await mkdir(join(source, path, '..'), { recursive: true })
      const content = path === 'empty.txt' ? '' : path.endsWith('.txt') ? `text ${index}` : await picture(index)
      await writeFile(join(source, path), content)
    }
    await mkdir(join(source, EMPTY_FOLDER))
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
    await rm(join(source, '..'), { recursive: true, force: true })
  })

  const newFolder = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
  const foldersIn = async (parent: number) => (await client['list-folders']({ query: { parent: String(parent) } })).body
  const filesIn = async (folder: number): Promise<string[]> => {
    const query = { folder_ids: [folder], return_values: ['filename'] as const }
    const { body } = await client['search-media']({ query: query as never })
    return body.response.media.map(({ filename }) => filename!).sort()
  }
  /** Paths of all files below a folder, as the library has them. */
  const filePathsIn = async (folder: number, path = ''): Promise<string[]> => {
    const below = await Promise.all((await foldersIn(folder)).map(({ id, name }) => filePathsIn(id, `${path}${name}/`)))
    return [...(await filesIn(folder)).map((name) => path + name), ...below.flat()].sort()
  }
  const sent = (prefix = '') => FILES.map((path) => prefix + path.normalize('NFC')).sort()

  const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' })
  const end = (opened: ConsolePage) => panel(opened.page).getByRole('status').textContent()

  /** Drops files of the disk on a point of the page, as a person does. */
  async function drop({ context, page }: ConsolePage, paths: string[], { x, y } = { x: 700, y: 500 }): Promise<void> {
    const devtools = await context.newCDPSession(page)
    const data = { items: [], files: paths, dragOperationsMask: 1 }
    await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', x, y, data })
    await page.getByText('Drop to upload').waitFor()
    for (const type of ['dragOver', 'drop'] as const) await devtools.send('Input.dispatchDragEvent', { type, x, y, data })
  }

  test('files that are chosen come to the folder that is shown, which shows them', async () => {
    const folder = await newFolder('Chosen')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const chooser = opened.page.waitForEvent('filechooser')
    await opened.page.getByRole('button', { name: 'Upload' }).click()
    await opened.page.getByRole('menuitem', { name: 'Files' }).click()
    await (await chooser).setFiles([join(source, 'a#1.jpg'), join(source, '100%.jpg')])
    await expect.poll(() => end(opened)).toBe('uploaded 2, already there 0, failed 0')
    await expect.poll(() => opened.status.textContent()).toBe('2 files')
    await expect.poll(async () => (await opened.names()).sort()).toEqual(['100%.jpg', 'a#1.jpg'])
    assert.deepEqual(await filesIn(folder), ['100%.jpg', 'a#1.jpg'])
    await opened.close()
  })

  test('a folder that is chosen comes with all that is in it', async () => {
    const folder = await newFolder('Folder')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const chooser = opened.page.waitForEvent('filechooser')
    await opened.page.getByRole('button', { name: 'Upload' }).click()
    await opened.page.getByRole('menuitem', { name: 'Folder' }).click()
    await (await chooser).setFiles(source)
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await opened.close()
  })

  test('what is dropped comes with its empty folders, and into folders that are there already', async () => {
    const folder = await newFolder('Dropped')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    await drop(opened, [source])
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    const [trip] = await foldersIn(folder)
    assert.equal(trip?.name, 'Trip')
    const inside = (await foldersIn(trip.id)).find(({ name }) => name === 'in')!
    assert.deepEqual((await foldersIn(inside.id)).map(({ name }) => name).sort(), ['deep', 'nothing'])
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await drop(opened, [join(source, 'in')])
    await expect.poll(() => end(opened)).toBe('uploaded 3, already there 0, failed 0')
    await drop(opened, [source])
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    assert.deepEqual(
      (await foldersIn(folder)).map(({ name }) => name),
      ['in', 'Trip'],
    )
    await opened.close()
  })

  test('files that are dropped on a folder of the tree come there; where no folder is shown one is asked for', async () => {
    const folder = await newFolder('Target')
    const opened = await signedIn(browser, service)
    const line = opened.folders.filter({ hasText: 'Target' })
    const box = (await line.boundingBox())!
    await drop(opened, [join(source, 'a#1.jpg')], { x: box.x + 60, y: box.y + 10 })
    await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
    await drop(opened, [join(source, '100%.jpg')])
    const dialog = opened.page.getByRole('dialog', { name: 'Upload 1 file to' })
    await dialog.getByRole('treeitem', { name: 'Target' }).click()
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect.poll(() => filesIn(folder)).toEqual(['100%.jpg', 'a#1.jpg'])
    await opened.close()
  })

  test('what fails is told, and tried again on a press; the three numbers are what was dropped', async () => {
    const folder = await newFolder('Failing')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    let refusals = 2
    await opened.page.route('**/-/uploads', (route) =>
      refusals-- > 0 ? route.fulfill({ status: 403, body: '<Error/>' }) : route.continue(),
    )
    await drop(opened, [source])
    await expect.poll(() => end(opened)).toBe('uploaded 5, already there 0, failed 2')
    await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await opened.close()
  })

  test('uploads are paused and go on', async () => {
    const folder = await newFolder('Paused')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const held: (() => void)[] = []
    let isHeld = true
    await opened.page.route('**/-/uploads', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue().catch(() => undefined)
    })
    await drop(opened, [source])
    await expect.poll(() => held.length).toBe(4)
    assert.equal(await panel(opened.page).getByRole('progressbar').count(), 5)
    await panel(opened.page).getByRole('button', { name: 'Pause' }).click()
    await panel(opened.page).getByRole('button', { name: 'Resume' }).waitFor()
    isHeld = false
    for (const release of held) release()
    assert.deepEqual(await filesIn(folder), [])
    await panel(opened.page).getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await opened.close()
  })
})
