import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type Fault, unsteadyLine } from '../support/unsteady-line.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill, picture } from './library.ts'

/** Files and folders of three levels, with names that addresses and systems treat specially. The last folder is empty. */
const FILES = ['a#1.jpg', '100%.jpg', 'été 🌊.jpg'.normalize('NFD'), 'in/deep/er.txt', 'in/deep/er & <b>.txt', 'in/b.jpg', 'empty.txt']
const EMPTY_FOLDER = 'in/nothing'

describe('uploads in the console', withBrowser, async () => {
  const line = await unsteadyLine()
  afterAll(() => line.close())
  const { service, browser, client, newFolder } = await serviceWithBrowser(line.settings)
  const accounts = withBrowser.skip ? undefined : await provisioning(service)
  afterAll(() => accounts?.close())
  let source: string
  beforeAll(async () => {
    source = join(await mkdtemp(join(tmpdir(), 'console-uploads-')), 'Trip')
    for (const [index, path] of FILES.entries()) {
      await mkdir(join(source, path, '..'), { recursive: true })
      const content = path === 'empty.txt' ? '' : path.endsWith('.txt') ? `text ${index}` : await picture(index)
      await writeFile(join(source, path), content)
    }
    await mkdir(join(source, EMPTY_FOLDER))
  })
  afterAll(async () => {
    await rm(join(source, '..'), { recursive: true, force: true })
  })

  /** The console with a new folder open. */
  const inNewFolder = async (name: string) => {
    const folder = await newFolder(name)
    return { folder, opened: await signedIn(browser, service, { address: `/console/folder/${folder}` }) }
  }
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

  /** What is asked about names that are there already. */
  const question = ({ page }: ConsolePage, name: string) => page.getByRole('dialog', { name, exact: true })
  async function answer(opened: ConsolePage, name: string, choice: 'New versions' | 'Keep both' | 'Skip'): Promise<void> {
    await question(opened, name).getByRole('radio', { name: choice }).check()
    await question(opened, name).getByRole('button', { name: 'Continue' }).click()
  }

  const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' })
  const end = (opened: ConsolePage) => panel(opened.page).getByRole('status').textContent()

  /** Drops files of the disk on a point of the page, as a person does; again where a busy Chromium makes a leave of the drop. */
  async function drop({ context, page }: ConsolePage, paths: string[], { x, y } = { x: 700, y: 500 }): Promise<void> {
    await page.getByRole('button', { name: 'Account' }).waitFor()
    const devtools = await context.newCDPSession(page)
    const data = { items: [], files: paths, dragOperationsMask: 1 }
    const drops = await page.evaluateHandle(() => {
      const seen = { count: 0 }
      addEventListener('drop', () => seen.count++, { capture: true })
      return seen
    })
    await vi.waitFor(
      async () => {
        await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', x, y, data })
        await page.getByText('Drop to upload').waitFor()
        for (const type of ['dragOver', 'drop'] as const) await devtools.send('Input.dispatchDragEvent', { type, x, y, data })
        assert.equal(await drops.evaluate(({ count }) => count), 1)
      },
      { timeout: 120_000 },
    )
  }

  /** Lets `beforeFile` and `beforeRead` of the page delay or refuse what the browser tells of files and folders that are dropped. */
  const watchEntries = (page: Page) =>
    page.evaluate(() => {
      type Before = (name: string) => Promise<void>
      const hooks = Object.assign(window as unknown as { beforeFile: Before; beforeRead: Before }, {
        beforeFile: async () => undefined,
        beforeRead: async () => undefined,
      })
      const watched = (entry: FileSystemEntry): unknown => {
        const { name, isFile, isDirectory } = entry
        if (isFile) {
          const file: FileSystemFileEntry['file'] = (onfile, onerror) =>
            void hooks.beforeFile(name).then(() => (entry as FileSystemFileEntry).file(onfile, onerror), onerror)
          return { name, isFile, isDirectory, file }
        }
        const reader = (entry as FileSystemDirectoryEntry).createReader()
        const readEntries: FileSystemDirectoryReader['readEntries'] = (onentries, onerror) =>
          void hooks
            .beforeRead(name)
            .then(() => reader.readEntries((entries) => onentries(entries.map(watched) as FileSystemEntry[]), onerror), onerror)
        return { name, isFile, isDirectory, createReader: () => ({ readEntries }) }
      }
      const { webkitGetAsEntry } = DataTransferItem.prototype
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        return watched(webkitGetAsEntry.call(this)!) as FileSystemEntry
      }
    })

  test.for([
    ['Files', ['100%.jpg', 'a#1.jpg'], ['100%.jpg', 'a#1.jpg']],
    ['Folder', [], sent('Trip/')],
  ] as const)('%s that are chosen come to the folder that is shown, with all that is in them', async ([item, chosen, expected]) => {
    const { folder, opened } = await inNewFolder(item)
    const chooser = opened.page.waitForEvent('filechooser')
    await opened.page.getByRole('button', { name: 'Upload' }).click()
    await opened.page.getByRole('menuitem', { name: item }).click()
    await (await chooser).setFiles(item === 'Folder' ? source : chosen.map((path) => join(source, path)))
    await expect.poll(() => end(opened)).toBe(`uploaded ${expected.length}, already there 0, failed 0`)
    await expect.poll(() => filePathsIn(folder)).toEqual(expected)
    if (item === 'Files') await expect.poll(async () => (await opened.names()).sort()).toEqual(expected)
    await opened.close()
  })

  test('what is dropped comes with its empty folders, and into folders that are there already', async () => {
    const { folder, opened } = await inNewFolder('Dropped')
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
    await expect.poll(() => end(opened)).toBe('uploaded 0, already there 7, failed 0')
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
    assert.equal(await opened.page.getByText('Drop to upload').count(), 0)
    await drop(opened, [join(source, '100%.jpg')])
    const dialog = opened.page.getByRole('dialog', { name: 'Upload 1 file to' })
    await dialog.getByRole('treeitem', { name: 'Target' }).click()
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect.poll(() => filesIn(folder)).toEqual(['100%.jpg', 'a#1.jpg'])
    await opened.close()
  })

  test('what fails is told, and tried again on a press; the three numbers are what was dropped', async () => {
    const { folder, opened } = await inNewFolder('Failing')
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

  test('what is cut while it is posted, or whose answer is lost, is sent again and becomes one file', async () => {
    const { folder, opened } = await inNewFolder('Cut')
    const faults: Record<string, Fault[]> = {
      'POST /-/uploads': ['break', 'break', 'lose'],
      'GET /upload/finalize': ['lose', 'lose', 'break', 'lose'],
      'POST /folder': ['lose', 'break'],
      'POST /upload/register': ['lose'],
    }
    line.fault = ({ method, url }) =>
      Object.entries(faults)
        .find(([request]) => `${method} ${url}`.startsWith(request))?.[1]
        .shift()
    await drop(opened, [source])
    await expect.poll(() => end(opened), { timeout: 120_000 }).toBe('uploaded 7, already there 0, failed 0')
    line.fault = () => undefined
    assert.deepEqual(Object.values(faults).flat(), [])
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await opened.close()
  })

  test('a form that has become too old is asked for anew', async () => {
    const { folder, opened } = await inNewFolder('Old form')
    const faults: Fault[] = [{ status: 503 }, { status: 403 }]
    line.fault = ({ method, url }) => (method === 'POST' && url === '/-/uploads' ? faults.shift() : undefined)
    await drop(opened, [join(source, 'a#1.jpg')])
    await expect.poll(() => end(opened), { timeout: 60_000 }).toBe('uploaded 1, already there 0, failed 0')
    assert.deepEqual(faults, [])
    await expect.poll(() => filesIn(folder)).toEqual(['a#1.jpg'])
    await opened.close()
  })

  test('files are counted before the browser has opened them, and sent as it does', async () => {
    const { folder, opened } = await inNewFolder('Opening')
    await watchEntries(opened.page)
    await opened.page.evaluate(() => {
      const held: (() => void)[] = []
      Object.assign(window, {
        beforeFile: () => new Promise<void>((resolve) => held.push(resolve)),
        release: (count: number) => held.splice(0, count).map((resolve) => resolve()),
      })
    })
    const release = (count: number) => opened.page.evaluate(`release(${count})`)
    await drop(opened, [source])
    await panel(opened.page).getByText('0 of 7').waitFor()
    await release(3)
    await panel(opened.page).getByText('3 of 7').waitFor()
    await release(4)
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/'))
    await opened.close()
  })

  test('files and folders that can’t be read count as failed; files that can be by then are sent by another try', async () => {
    const { folder, opened } = await inNewFolder('Unreadable')
    await watchEntries(opened.page)
    await opened.page.evaluate(() => {
      let refusals = 1
      const refuseIf = async (isRefused: boolean) => {
        if (isRefused) throw new DOMException('', 'NotReadableError')
      }
      Object.assign(window, {
        beforeFile: (name: string) => refuseIf(name === 'b.jpg' && refusals-- > 0),
        beforeRead: (name: string) => refuseIf(name === 'deep'),
      })
    })
    await drop(opened, [source])
    await expect.poll(() => end(opened)).toBe('uploaded 4, already there 0, failed 2')
    const failures = panel(opened.page).getByRole('listitem').filter({ hasText: 'This can’t be read.' })
    assert.deepEqual((await failures.allInnerTexts()).map((text) => text.split('\n')[0]).sort(), ['Trip/in/b.jpg', 'Trip/in/deep'])
    await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
    await expect.poll(() => end(opened)).toBe('uploaded 5, already there 0, failed 1')
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Trip/').filter((path) => !path.includes('deep')))
    await opened.close()
  })

  test('a file that was changed while it waited is sent as it is by another try', async () => {
    const folder = await newFolder('Changed')
    const file = join(source, '..', 'changed.txt')
    await writeFile(file, 'before')
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    let refusals = 1
    await opened.page.route('**/-/uploads', (route) =>
      refusals-- > 0 ? route.fulfill({ status: 403, body: '<Error/>' }) : route.continue(),
    )
    await drop(opened, [file])
    await expect.poll(() => end(opened)).toBe('uploaded 0, already there 0, failed 1')
    await writeFile(file, 'what it is now')
    await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
    await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
    await opened.close()
  })

  test('uploads are paused and go on', async () => {
    const { folder, opened } = await inNewFolder('Paused')
    const held: (() => void)[] = []
    let isHeld = true
    await opened.page.route('**/-/uploads', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue().catch(() => undefined)
    })
    await drop(opened, [source])
    await expect.poll(() => held.length).toBe(4)
    await expect.poll(() => panel(opened.page).getByRole('progressbar').count()).toBe(5)
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

  test('after a reload a folder that is dropped again sends what is missing or changed, and links to the rest', async () => {
    const folder = await newFolder('Again')
    const changing = join(source, '..', 'Changing')
    await cp(source, changing, { recursive: true })
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    await drop(opened, [changing])
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    // A search finds each file when it is imported, one later than the other.
    await expect.poll(() => filePathsIn(folder)).toEqual(sent('Changing/'))
    const top = (await foldersIn(folder))[0]!.id
    const query = { folder_ids: [top], return_values: ['filename', 'unique_media_id'] as const }
    const { body } = await client['search-media']({ query: query as never })
    const ids = new Map(body.response.media.map(({ filename, unique_media_id: id }) => [filename, id!]))
    await client['move-media-to-trash']({ params: { id: ids.get('100%.jpg')!, folderId: top } })
    await writeFile(join(changing, 'in/deep/er.txt'), 'another text')
    await opened.page.reload()
    await drop(opened, [changing])
    await answer(opened, '1 file is already here', 'Keep both')
    await expect.poll(() => end(opened)).toBe('uploaded 2, already there 5, failed 0')
    assert.equal(await panel(opened.page).getByText('Already there', { exact: true }).count(), 5)
    await panel(opened.page).getByRole('link', { name: 'Changing/a#1.jpg' }).click()
    await opened.page.waitForURL(`**/console/file/${ids.get('a#1.jpg')}`)
    // In another folder it is another file.
    const other = await newFolder('Elsewhere')
    await opened.goTo(`/console/folder/${other}`)
    await drop(opened, [changing])
    await expect.poll(() => end(opened)).toBe('uploaded 7, already there 0, failed 0')
    await opened.close()
  })

  test('after a sign-out the browser holds nothing of what was uploaded', async () => {
    const { opened } = await inNewFolder('Forgotten')
    const databases = () => opened.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    await drop(opened, [join(source, 'a#1.jpg')])
    await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
    assert.deepEqual(await databases(), ['uploads'])
    // A page in another tab doesn't keep it.
    const tab = await opened.context.newPage()
    await tab.goto(opened.page.url())
    await tab.getByRole('button', { name: 'Account' }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    await expect.poll(databases).toEqual([])
    assert.equal(await tab.evaluate(() => JSON.stringify({ ...localStorage }).includes('jpg')), false)
    await opened.close()
  })

  test('the browser keeps the latest 50,000 uploads', async () => {
    const { opened } = await inNewFolder('Many')
    await drop(opened, [join(source, 'a#1.jpg')])
    await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
    const inStore = (more: number) =>
      opened.page.evaluate(async (more) => {
        const done = <T>(request: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(request.error)
          })
        const database = await done(indexedDB.open('uploads'))
        const store = database.transaction('uploads', 'readwrite').objectStore('uploads')
        for (let at = 1; at <= more; at++) store.put({ key: [0, 0, `${at}.jpg`, 1, 1], at, mediaId: 1 })
        const count = await done(store.count())
        database.close()
        return count
      }, more)
    assert.equal(await inStore(50_005), 50_006)
    await opened.page.reload()
    await drop(opened, [join(source, '100%.jpg')])
    await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
    assert.equal(await inStore(0), 50_000)
    await drop(opened, [join(source, 'a#1.jpg')])
    await expect.poll(() => end(opened)).toBe('uploaded 0, already there 1, failed 0')
    await opened.close()
  })

  test('a browser that keeps nothing knows files by their names and bytes', async () => {
    const { folder, opened } = await inNewFolder('Private')
    await opened.context.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException('', 'SecurityError')
      }
    })
    await opened.page.reload()
    await drop(opened, [join(source, 'in')])
    await expect.poll(() => end(opened)).toBe('uploaded 3, already there 0, failed 0')
    await expect.poll(async () => (await filePathsIn(folder)).length).toBe(3)
    await opened.page.reload()
    await drop(opened, [join(source, 'in')])
    await expect.poll(() => end(opened)).toBe('uploaded 0, already there 3, failed 0')
    await opened.close()
  })

  describe('of names that are there already', () => {
    /** Files as they are there, and others of the same names. */
    let folder: number
    let ids: number[]
    let others: string
    beforeEach(async ({ task }) => {
      folder = await newFolder(`Taken ${task.id}`)
      ids = await fill(client, folder, ['a.jpg', 'b.jpg', 'c.jpg'])
      others = await mkdtemp(join(source, '..', 'others-'))
      for (const [index, name] of ['a.jpg', 'b.jpg', 'd.jpg'].entries()) await writeFile(join(others, name), await picture(60 + index))
      // The same bytes as there.
      await writeFile(join(others, 'c.jpg'), await picture(5))
    })
    const all = () => ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => join(others, name))
    const openedThere = (options: Parameters<typeof signedIn>[2] = {}) =>
      signedIn(browser, service, { address: `/console/folder/${folder}`, ...options })
    const numberOf = async (id: number) => (await client['get-media']({ params: { id } })).body as { file_number?: number }

    test('one answer makes new versions of all that have other bytes', async () => {
      const opened = await openedThere()
      const asked: string[] = []
      opened.page.on('request', (request) => {
        if (request.url().includes('file_md5')) asked.push(request.url())
      })
      await drop(opened, all())
      await answer(opened, '2 files are already here', 'New versions')
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 1, failed 0, new versions 2')
      assert.equal(asked.length, 1)
      await expect.poll(() => Promise.all(ids.map(async (id) => (await numberOf(id)).file_number))).toEqual([2, 2, 1])
      await expect.poll(() => filesIn(folder)).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
      // What is a version now is there already.
      await drop(opened, all())
      await expect.poll(() => end(opened)).toBe('uploaded 0, already there 4, failed 0')
      await opened.close()
    })

    test('without `Do this for all` each file is asked about', async () => {
      const opened = await openedThere()
      await drop(opened, all())
      await opened.page.getByRole('checkbox', { name: 'Do this for all' }).uncheck()
      await answer(opened, '2 files are already here', 'Keep both')
      await answer(opened, '1 file is already here', 'Skip')
      await expect.poll(() => end(opened)).toBe('uploaded 2, already there 1, failed 0, skipped 1')
      await expect.poll(() => filesIn(folder)).toEqual(['a.jpg', 'a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
      await opened.close()
    })

    test('who closes the question loses nothing: it is asked again', async () => {
      const opened = await openedThere()
      await drop(opened, all())
      await question(opened, '2 files are already here').waitFor()
      await opened.page.keyboard.press('Escape')
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 1, failed 2')
      await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
      await answer(opened, '2 files are already here', 'New versions')
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 1, failed 0, new versions 2')
      await opened.close()
    })

    test('the question is answered by keyboard, also on a narrow screen', async () => {
      const opened = await openedThere({ viewport: { width: 320, height: 568 } })
      await drop(opened, all(), { x: 160, y: 300 })
      const asked = question(opened, '2 files are already here')
      await asked.getByRole('radio', { name: 'New versions' }).focus()
      assert.deepEqual((await new AxeBuilder({ page: opened.page as never }).analyze()).violations, [])
      assert.equal(await asked.evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth), false)
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await opened.page.keyboard.press(key)
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 1, failed 0, skipped 2')
      await opened.close()
    })

    test('whose right ends meanwhile is told which one is missing, and asked again', async () => {
      const user = await accounts!.user()
      await accounts!.grant(folder, user.userId, ['READ', 'WRITE'])
      const opened = await openedThere({ credentials: user })
      await drop(opened, all())
      await question(opened, '2 files are already here').waitFor()
      await expect.poll(() => panel(opened.page).getByRole('progressbar').count()).toBe(1)
      await accounts!.grant(folder, user.userId, ['READ', 'UPLOAD'])
      await answer(opened, '2 files are already here', 'New versions')
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 1, failed 2')
      assert.equal(await panel(opened.page).getByText('You need Can add and change on this file').count(), 2)
      await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
      await answer(opened, '2 files are already here', 'Keep both')
      await expect.poll(() => end(opened)).toBe('uploaded 3, already there 1, failed 0')
      await opened.close()
    })

    test('who may not change what is there is offered no new versions', async () => {
      const user = await accounts!.user()
      await accounts!.grant(folder, user.userId, ['READ', 'UPLOAD'])
      const opened = await openedThere({ credentials: user })
      await drop(opened, all())
      await question(opened, '2 files are already here').waitFor()
      assert.equal(await question(opened, '2 files are already here').getByRole('radio').count(), 2)
      await answer(opened, '2 files are already here', 'Keep both')
      await expect.poll(() => end(opened)).toBe('uploaded 3, already there 1, failed 0')
      await opened.close()
    })
  })

  describe('of large files', () => {
    /** 9 parts of 8 MiB and less. */
    const BYTES = 70 * 1024 ** 2
    const PARTS = 9
    let film: string
    let md5: string
    beforeAll(async () => {
      const content = Buffer.alloc(BYTES)
      for (let at = 0; at < BYTES; at += 4096) content.writeUInt32LE(at, at)
      film = join(source, '..', 'film.bin')
      await writeFile(film, content)
      md5 = createHash('md5').update(content).digest('hex')
    })

    /** Watches parts of uploads. @param passing how many get through before others wait */
    async function watchParts({ page }: ConsolePage, passing = Number.POSITIVE_INFINITY) {
      const watched = { begun: [] as string[], put: [] as string[], failing: 0, passing }
      const waiting: (() => void)[] = []
      page.on('response', async (response) => {
        const request = response.request()
        if (request.method() === 'POST' && request.url().endsWith('/upload/multipart'))
          watched.begun.push((await response.json()).upload_id)
        if (request.method() === 'PUT' && response.ok()) watched.put.push(new URL(request.url()).search)
      })
      await page.route('**/-/uploads/parts**', async (route) => {
        if (watched.failing > 0) {
          watched.failing--
          return route.fulfill({ status: 503, body: '<Error/>' })
        }
        if (watched.passing-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve))
        await route.continue().catch(() => undefined)
      })
      const release = () => {
        watched.passing = Number.POSITIVE_INFINITY
        for (const resolve of waiting) resolve()
      }
      return { watched, release }
    }

    const received = async (uploadId: string) =>
      (await client['get-multipart-upload']({ params: { uploadId } })).body.received.map(({ part }) => part)
    const md5sIn = async (folder: number) => {
      const { body } = await client['search-media']({ query: { folder_ids: [folder], return_values: ['file_md5'] } as never })
      return body.response.media.map(({ file_md5 }) => file_md5)
    }

    test('they go in parts, which are tried again, paused, and go on with what is missing', async () => {
      const { folder, opened } = await inNewFolder('Parts')
      const { watched, release } = await watchParts(opened, 3)
      watched.failing = 1
      await drop(opened, [film])
      await expect.poll(() => watched.put.length).toBe(3)
      const [uploadId] = watched.begun
      await panel(opened.page).getByRole('button', { name: 'Pause' }).click()
      await panel(opened.page).getByRole('button', { name: 'Resume' }).waitFor()
      assert.equal((await received(uploadId!)).length, 3)
      assert.equal(await panel(opened.page).getByRole('progressbar', { name: 'film.bin' }).count(), 1)
      release()
      await panel(opened.page).getByRole('button', { name: 'Resume' }).click()
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
      assert.deepEqual(watched.begun, [uploadId])
      assert.equal(watched.put.length, PARTS)
      await expect.poll(() => md5sIn(folder)).toEqual([md5])
      await drop(opened, [film])
      await expect.poll(() => end(opened)).toBe('uploaded 0, already there 1, failed 0')
      await opened.close()
    })

    test('after a reload the same file goes on where it was', async () => {
      const { folder, opened } = await inNewFolder('Reloaded')
      const { watched, release } = await watchParts(opened, 4)
      await drop(opened, [film])
      await expect.poll(() => watched.put.length).toBe(4)
      await opened.page.reload()
      release()
      await drop(opened, [film])
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
      assert.equal(watched.begun.length, 1)
      assert.equal(watched.put.length, PARTS)
      await expect.poll(() => md5sIn(folder)).toEqual([md5])
      await opened.close()
    })

    test('one that is cancelled frees its parts, counts as failed, and can be tried again', async () => {
      const { folder, opened } = await inNewFolder('Cancelled')
      const { watched, release } = await watchParts(opened, 2)
      await drop(opened, [film])
      await expect.poll(() => watched.put.length).toBe(2)
      await panel(opened.page).getByRole('button', { name: 'Cancel the upload of film.bin' }).click()
      await expect.poll(() => end(opened)).toBe('uploaded 0, already there 0, failed 1')
      const params = { uploadId: watched.begun[0]! }
      await expect.poll(async () => (await client['get-multipart-upload']({ params })).status as number).toBe(404)
      release()
      await panel(opened.page).getByRole('button', { name: 'Retry failed' }).click()
      await expect.poll(() => end(opened)).toBe('uploaded 1, already there 0, failed 0')
      assert.equal(watched.begun.length, 2)
      await expect.poll(() => md5sIn(folder)).toEqual([md5])
      await opened.close()
    })
  })
})
