import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { replace } from '../support/uploading.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill, picture } from './library.ts'

describe('versions of a file in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = withBrowser.skip ? undefined : await provisioning(service)
  afterAll(() => accounts?.close())
  let source: string
  beforeAll(async () => {
    source = await mkdtemp(join(tmpdir(), 'console-versions-'))
  })
  afterAll(() => rm(source, { recursive: true, force: true }))

  let folder: number
  let id: number
  beforeEach(async ({ task }) => {
    folder = await newFolder(`Film ${task.id}`)
    id = (await fill(client, folder, ['harbour.jpg'], { width: 600, height: 400 }))[0]!
  })

  const details = (page: Page) => page.getByRole('dialog', { name: 'Details' })
  const versions = (page: Page) => page.getByRole('region', { name: 'Versions' })
  const version = (page: Page, name: string) => versions(page).getByRole('listitem', { name, exact: true })
  const names = async (page: Page) => {
    const snapshot = await versions(page).getByRole('list').ariaSnapshot()
    return [...snapshot.matchAll(/- listitem "([^"]*)"/g)].map(([, name]) => name)
  }
  const history = (page: Page) => page.getByRole('region', { name: 'History' })
  const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor()
  const document = async () =>
    (await client['get-media']({ params: { id } })).body as { file_md5: string; metadata: { title: Record<string, string> } }

  /** The details of the file with its versions. */
  async function opened(button = 'Versions', options: Parameters<typeof signedIn>[2] = {}): Promise<ConsolePage> {
    const console = await signedIn(browser, service, { address: `/console/file/${id}`, ...options })
    await details(console.page).getByRole('button', { name: button, exact: true }).click()
    await console.page.getByRole('region', { name: button }).getByRole('list').waitFor({ state: 'attached' })
    return console
  }

  async function fileOf(name: string, content: Buffer | string): Promise<string> {
    const path = join(source, name)
    await writeFile(path, content)
    return path
  }

  const isFocused = (element: Locator) => element.evaluate((each) => each === window.document.activeElement)

  /** Chooses a file as the next version. */
  async function uploadVersion(page: Page, path: string): Promise<void> {
    const chooser = page.waitForEvent('filechooser')
    await versions(page).getByRole('button', { name: 'Upload new version' }).click()
    await (await chooser).setFiles(path)
  }

  test('a new version is shown everywhere as soon as it is imported, and unsaved edits stay', async () => {
    const { page, close } = await opened()
    await expect.poll(() => names(page)).toEqual(['Version 1, current'])
    await details(page).getByRole('textbox', { name: 'Title' }).fill('Unsaved')
    const before = await details(page).getByRole('img', { name: 'harbour.jpg' }).getAttribute('src')
    await uploadVersion(page, await fileOf('harbour-2.jpg', await picture(40, { width: 500, height: 500 })))
    await details(page).getByRole('button', { name: 'Zoom in' }).focus()
    await expect.poll(() => names(page)).toEqual(['Version 2, current', 'Version 1'])
    await page.getByRole('region', { name: 'Uploads' }).getByText('uploaded 0, already there 0, failed 0, new versions 1').waitFor()
    await details(page).getByRole('region', { name: 'Facts' }).getByText('500 × 500').waitFor()
    await details(page).getByRole('region', { name: 'Facts' }).getByText('harbour-2.jpg').waitFor()
    await expect
      .poll(() =>
        details(page)
          .getByRole('img', { name: 'Unsaved' })
          .or(details(page).getByRole('img', { name: 'harbour-2.jpg' }))
          .getAttribute('src'),
      )
      .not.toBe(before)
    assert.ok(await details(page).evaluate((element) => element.contains(window.document.activeElement)))
    assert.equal(await details(page).getByRole('textbox', { name: 'Title' }).inputValue(), 'Unsaved')
    assert.deepEqual((await document()).metadata.title, {})
    await close()
  })

  test('the same bytes and a file of another kind are no version, and say so', async () => {
    const { page, close } = await opened()
    await uploadVersion(page, await fileOf('same.jpg', await picture(1, { width: 600, height: 400 })))
    await status(page, 'This is the same file as the current version.')
    await uploadVersion(page, await fileOf('note.txt', 'no picture'))
    await page.getByRole('region', { name: 'Uploads' }).getByText('A new version must be of the same kind').waitFor()
    assert.deepEqual(await names(page), ['Version 1, current'])
    await close()
  })

  test('one goes back to a version, keeps it, says something of it, and deletes it', async () => {
    const { page, close } = await opened()
    const { file_md5: first } = await document()
    await uploadVersion(page, await fileOf('two.jpg', await picture(42)))
    await version(page, 'Version 1').getByRole('button', { name: 'Go back to this' }).click()
    await expect.poll(() => names(page)).toEqual(['Version 3, current', 'Version 2', 'Version 1'])
    assert.equal((await document()).file_md5, first)
    const two = version(page, 'Version 2')
    await two.getByRole('textbox', { name: 'Comment' }).fill('The dark one')
    await page.keyboard.press('Enter')
    await status(page, 'Saved')
    await two.getByRole('button', { name: 'Keep' }).click()
    await expect.poll(() => two.getByRole('button', { name: 'Keep' }).getAttribute('aria-pressed')).toBe('true')
    const { body } = await client['list-files']({ params: { id } })
    assert.deepEqual(body.files.map(({ comment, pinned }) => [comment, pinned])[1], ['The dark one', true])
    await two.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete version 2?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').filter({ hasText: 'This version is kept.' }).waitFor()
    await two.getByRole('button', { name: 'Keep' }).click()
    await expect.poll(() => two.getByRole('button', { name: 'Keep' }).getAttribute('aria-pressed')).toBe('false')
    await two.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete version 2?' }).getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => names(page)).toEqual(['Version 3, current', 'Version 1'])
    const download = page.waitForEvent('download')
    await version(page, 'Version 1').getByRole('button', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'harbour.jpg')
    await close()
  })

  test('two versions are compared with a divider, by keyboard and by pointer', async () => {
    const { page, close } = await opened()
    await uploadVersion(page, await fileOf('two.jpg', await picture(43)))
    const compare = version(page, 'Version 1').getByRole('button', { name: 'Compare' })
    await compare.click()
    const dialog = page.getByRole('dialog', { name: 'Compare' })
    const divider = dialog.getByRole('slider', { name: 'Divider' })
    const cut = () => dialog.getByRole('img', { name: 'Version 1' }).evaluate((image) => getComputedStyle(image).clipPath)
    await divider.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(cut).toBe('inset(0px 49% 0px 0px)')
    const box = (await divider.boundingBox())!
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2)
    await expect.poll(cut).toBe('inset(0px 75% 0px 0px)')
    assert.deepEqual((await new AxeBuilder({ page: page as never }).analyze()).violations, [])
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(compare)).toBe(true)
    await close()
  })

  /** Drops files on the details. */
  const drop = (page: Page, files: Record<string, string>) =>
    details(page).evaluate((element, files) => {
      const dataTransfer = new DataTransfer()
      for (const [name, content] of Object.entries(files))
        dataTransfer.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name, { type: 'image/jpeg' }))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, files)

  test('one file that is dropped on the details becomes a version; several are refused', async () => {
    const { page, close } = await opened()
    const content = (await picture(44)).toString('base64')
    await drop(page, { 'one.jpg': content, 'two.jpg': content })
    await page.getByRole('alert').filter({ hasText: 'A new version is one file.' }).waitFor()
    await drop(page, { 'one.jpg': content })
    await expect.poll(() => names(page)).toEqual(['Version 2, current', 'Version 1'])
    await close()
  })

  /** A picture by its first bytes, which can't be read. */
  const brokenPicture = async () => Buffer.concat([(await picture(47)).subarray(0, 24), Buffer.alloc(500)])

  test('an import that fails leaves the version before, says so, and its entry is deleted by keyboard', async () => {
    const { page, close } = await opened()
    await uploadVersion(page, await fileOf('broken.jpg', await brokenPicture()))
    await page.getByRole('alert').filter({ hasText: 'broken.jpg could not be read.' }).waitFor()
    await expect.poll(() => names(page)).toEqual(['Version 2, failed', 'Version 1, current'])
    const failed = version(page, 'Version 2, failed')
    await failed.getByText('This file could not be read. The version before it stays.').waitFor()
    assert.equal(await failed.getByRole('button', { name: /^(Download|Go back to this|Compare)$/ }).count(), 0)
    await failed.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete version 2?' })
    await question.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['Version 1, current'])
    await expect.poll(() => isFocused(versions(page))).toBe(true)
    await close()
  })

  test('more than 50 versions come page by page, each once, and the focus goes on to the first that is new', async () => {
    await replace(client, id, await picture(48), 'harbour.jpg')
    await expect.poll(async () => (await client['list-files']({ params: { id } })).body.files[0]?.state).toBe('available')
    for (let number = 3; number <= 52; number++)
      assert.equal((await client['restore-file']({ params: { id, number: number - 2 }, body: {} })).status, 200)
    const numbered = (first: number) =>
      Array.from({ length: first }, (_, index) => `Version ${first - index}${index === 0 ? ', current' : ''}`)
    const { page, close } = await opened()
    await expect.poll(() => names(page)).toEqual(numbered(52).slice(0, 50))
    await versions(page).getByRole('button', { name: 'Show more' }).dblclick()
    await expect.poll(() => names(page)).toEqual(numbered(52))
    await expect.poll(() => isFocused(version(page, 'Version 2').getByRole('textbox', { name: 'Comment' }))).toBe(true)
    await version(page, 'Version 1').getByRole('button', { name: 'Go back to this' }).click()
    await expect.poll(() => names(page)).toEqual(numbered(53))
    await close()
  })

  test('what somebody else did meanwhile is told, and shown', async () => {
    const { page, close } = await opened()
    const content = await picture(49)
    await uploadVersion(page, await fileOf('two.jpg', await picture(50)))
    await expect.poll(() => names(page)).toEqual(['Version 2, current', 'Version 1'])
    await client['delete-file']({ params: { id, number: 1 } })
    await version(page, 'Version 1').getByRole('button', { name: 'Go back to this' }).click()
    await page.getByRole('alert').filter({ hasText: 'It is no longer there.' }).waitFor()
    await expect.poll(() => names(page)).toEqual(['Version 2, current'])
    await replace(client, id, content, 'three.jpg')
    await expect.poll(async () => (await client['list-files']({ params: { id } })).body.files[0]?.state).toBe('available')
    await uploadVersion(page, await fileOf('the same.jpg', content))
    await page.getByRole('region', { name: 'Uploads' }).getByText('uploaded 0, already there 1, failed 0').waitFor()
    await expect.poll(() => names(page)).toEqual(['Version 3, current', 'Version 2'])
    await close()
  })

  test('whose right ends meanwhile is told which one is missing, and nothing is changed', async () => {
    const editor = await accounts!.user()
    await accounts!.grant(folder, editor.userId, ['READ', 'WRITE'])
    const { page, close } = await opened('Versions', { credentials: editor })
    const only = version(page, 'Version 1, current')
    await only.waitFor()
    await accounts!.grant(folder, editor.userId, ['READ'])
    const comment = only.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'You need Can add and change on Film' }).first().waitFor()
    assert.equal(await comment.inputValue(), 'Mine')
    await comment.press('Escape')
    assert.equal(await comment.inputValue(), '')
    await uploadVersion(page, await fileOf('late.jpg', await picture(51)))
    await page.getByRole('region', { name: 'Uploads' }).getByText('You need Can add and change on').waitFor()
    await close()
  })

  test('who may only see the file has neither versions nor history', async () => {
    const reader = await accounts!.user()
    await accounts!.grant(folder, reader.userId, ['READ'])
    const { page, close } = await signedIn(browser, service, { address: `/console/file/${id}`, credentials: reader })
    await details(page).getByRole('region', { name: 'Facts' }).waitFor()
    assert.equal(
      await details(page)
        .getByRole('button', { name: /^(Versions|History)$/ })
        .count(),
      0,
    )
    await drop(page, { 'one.jpg': (await picture(46)).toString('base64') })
    await page.getByRole('alert').filter({ hasText: 'You need Can add and change on' }).waitFor()
    await close()
  })

  test('the history tells what was changed, and undoes it without losing what is being typed', async () => {
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'Harbour', da: 'Havn' } } })
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'The harbour', da: 'Havn' }, byline: 'Anna Berg' } })
    const { page, close } = await opened('History')
    const entries = history(page).getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(2)
    await entries.first().getByText('Title: Harbour to The harbour', { exact: true }).waitFor()
    await entries.first().getByText('Byline: nothing to Anna Berg', { exact: true }).waitFor()
    await entries.last().getByText('Title (Danish): nothing to Havn', { exact: true }).waitFor()
    await entries.last().getByText('Demo user').waitFor()
    await details(page).getByRole('textbox', { name: 'Copyright' }).fill('Unsaved')
    await entries.last().getByRole('button', { name: 'Undo this change' }).click()
    const question = page.getByRole('dialog', { name: 'Undo this change anyway?' })
    await question.getByText('Title: changed again since').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await entries.first().getByRole('button', { name: 'Undo this change' }).click()
    await expect.poll(() => entries.count()).toBe(3)
    assert.equal(await details(page).getByRole('textbox', { name: 'Title' }).inputValue(), 'Harbour')
    assert.equal(await details(page).getByRole('textbox', { name: 'Copyright' }).inputValue(), 'Unsaved')
    assert.deepEqual((await document()).metadata.title, { en: 'Harbour', da: 'Havn' })
    await entries.last().getByRole('button', { name: 'Undo this change' }).click()
    await question.getByRole('button', { name: 'Undo anyway' }).click()
    await expect.poll(async () => (await document()).metadata.title).toEqual({})
    await close()
  })

  test('a version in the history is undone like any change', async () => {
    const { page, close } = await opened()
    const { file_md5: first } = await document()
    await uploadVersion(page, await fileOf('two.jpg', await picture(45)))
    await expect.poll(() => names(page)).toEqual(['Version 2, current', 'Version 1'])
    await details(page).getByRole('button', { name: 'History', exact: true }).click()
    const entry = history(page).getByRole('listitem').first()
    await entry.getByText('File: version 1 to version 2', { exact: true }).waitFor()
    await entry.getByRole('button', { name: 'Undo this change' }).click()
    await expect.poll(() => names(page)).toEqual(['Version 3, current', 'Version 2', 'Version 1'])
    assert.equal((await document()).file_md5, first)
    await close()
  })

  test('both regions have no violations, on wide screens and on phones, and give the focus back', async () => {
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'Harbour' } } })
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { page, close } = await opened('Versions', { viewport })
      await details(page).getByRole('button', { name: 'History', exact: true }).click()
      await history(page).getByRole('listitem').waitFor()
      assert.deepEqual((await new AxeBuilder({ page: page as never }).analyze()).violations, [])
      const isWide = await details(page).evaluate((element) => element.scrollWidth > element.clientWidth)
      assert.equal(isWide, false)
      await history(page).getByRole('button', { name: 'Close' }).click()
      const button: Locator = details(page).getByRole('button', { name: 'History', exact: true })
      await expect.poll(() => isFocused(button)).toBe(true)
      await close()
    }
  })
})
