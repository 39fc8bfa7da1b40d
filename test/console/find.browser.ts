import assert from 'node:assert/strict'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

/** Names that would be markup where somebody put them into the page as such. */
const HOSTILE = '<img src=x onerror="document.title=1">'

describe('finding files in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const { folder_id: folder } = service.demo
  const ids = await fill(
    client,
    folder,
    Array.from({ length: 24 }, (_, index) => `wide-${String(index).padStart(2, '0')}.jpg`),
  )
  await fill(client, folder, ['tall-1.jpg', 'tall-2.jpg'], { width: 200, height: 300 })
  await client['replace-metadata']({
    params: { id: ids[3]! },
    body: { title: { en: HOSTILE }, keywords: { en: [HOSTILE, 'harbour'] }, description: { en: HOSTILE }, byline: HOSTILE },
  })
  const nested = await newFolder(HOSTILE, folder)
  await fill(client, nested, ['nested.jpg'])

  test('all files are listed, newest first, each an option with its place and one picture', async () => {
    const opened = await signedIn(browser, service)
    await expect.poll(() => opened.status.textContent()).toBe('27 files')
    await expect.poll(() => opened.names()).toContain('nested.jpg')
    assert.equal((await opened.names())[0], 'nested.jpg')
    const [first] = await opened.files.all()
    assert.deepEqual([await first!.getAttribute('aria-posinset'), await first!.getAttribute('aria-setsize')], ['1', '27'])
    for (const option of await opened.files.all()) assert.equal(await option.locator('img').count(), 1)
    await opened.close()
  })

  test('names are text wherever they are shown', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${nested}` })
    await opened.page.getByRole('heading', { name: HOSTILE }).waitFor()
    await opened.folders.filter({ hasText: HOSTILE }).waitFor()
    await opened.goTo(`/console/file/${ids[3]}`)
    const details = opened.page.getByRole('dialog', { name: 'Details' })
    await expect.poll(() => details.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(HOSTILE)
    await details.getByText(HOSTILE).first().waitFor()
    await opened.goTo(`/console/search?q=${encodeURIComponent('harbour')}&tags=${encodeURIComponent(HOSTILE)}`)
    await opened.page.getByRole('button', { name: HOSTILE }).waitFor()
    assert.equal(await opened.page.locator('img[src="x"]').count(), 0)
    await opened.close()
  })

  test('a folder shows what lies directly in it, and with a press what lies below; its link opens what is above it', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${nested}` })
    await expect.poll(() => opened.status.textContent()).toBe('1 file')
    const line = opened.folders.filter({ hasText: HOSTILE })
    assert.deepEqual([await line.getAttribute('aria-selected'), await line.getAttribute('aria-level')], ['true', '2'])
    await opened.folders.filter({ hasText: 'Products' }).click()
    await expect.poll(() => opened.status.textContent()).toBe('26 files')
    await opened.page.getByRole('checkbox', { name: 'With subfolders' }).check()
    await expect.poll(() => opened.status.textContent()).toBe('27 files')
    assert.match(opened.page.url(), /recursive=true/)
    await opened.page.goBack()
    await expect.poll(() => opened.status.textContent()).toBe('26 files')
    await opened.close()
  })

  test('words, filters and order are in the address; chips take filters away, and words stay', async () => {
    const opened = await signedIn(browser, service)
    const { page, status } = opened
    await page.keyboard.press('/')
    await page.keyboard.type('jpg')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/search\?q=jpg/)
    await expect.poll(() => status.textContent()).toBe('27 files')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Filters' })
    for (const name of ['Type', 'Orientation', 'From', 'To', 'Minimum size', 'Tags'])
      assert.equal(await dialog.getByLabel(name, { exact: true }).count(), 1, name)
    await dialog.getByLabel('Orientation').selectOption({ label: 'Portrait' })
    await dialog.getByLabel('Type').selectOption({ label: 'Image' })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => status.textContent()).toBe('2 files')
    await page.getByRole('button', { name: 'Portrait' }).click()
    await expect.poll(() => status.textContent()).toBe('27 files')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => page.url()).toBe(`${service.baseUrl}/console/search?q=jpg`)
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Oldest first' })
    await expect.poll(async () => (await opened.names())[0]).toBe('wide-00.jpg')
    await opened.goTo('/console/search?q=nothingofthekind')
    await page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    await opened.close()
  })

  test('keys go from file to file, select and open; the list is one stop of Tab', async () => {
    const opened = await signedIn(browser, service)
    const { page, files } = opened
    await expect.poll(() => files.count()).toBeGreaterThan(20)
    assert.equal(await files.evaluateAll((options) => options.filter((option) => (option as HTMLElement).tabIndex === 0).length), 1)
    await files.first().focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'))
    const selected = () => files.evaluateAll((options) => options.filter((option) => option.ariaSelected === 'true').length)
    await page.keyboard.press('ArrowRight')
    assert.equal(await focused(), '2')
    assert.equal(await selected(), 0)
    await page.keyboard.press('ArrowDown')
    assert.ok(Number(await focused()) > 3)
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('27')
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('1')
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press(' ')
    const toolbar = page.getByRole('toolbar', { name: 'Selection' })
    await toolbar.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await toolbar.getByText('27 selected').waitFor()
    await page.keyboard.press('Escape')
    await toolbar.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await toolbar.getByText('3 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Details' }).waitFor()
    assert.match(page.url(), /\/console\/file\/\d+$/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Details' }).waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('5')
    await opened.folders.first().focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await opened.close()
  })

  test('a click selects one, with Shift a range, with Ctrl one more; two clicks open', async () => {
    const opened = await signedIn(browser, service)
    const { page, files } = opened
    const toolbar = page.getByRole('toolbar', { name: 'Selection' })
    await files.nth(1).click()
    await toolbar.getByText('1 selected').waitFor()
    await files.nth(4).click({ modifiers: ['Shift'] })
    await toolbar.getByText('4 selected').waitFor()
    await files.nth(6).click({ modifiers: ['Control'] })
    await toolbar.getByText('5 selected').waitFor()
    for (const name of ['Edit', 'Download', 'Download as', 'Move', 'Copy', 'Publish', 'Share', 'Trash', 'Select all', 'Clear'])
      assert.equal(await toolbar.getByRole('button', { name, exact: true }).count(), 1, name)
    await toolbar.getByRole('button', { name: 'Select all' }).click()
    await toolbar.getByText('27 selected').waitFor()
    await toolbar.getByRole('button', { name: 'Clear' }).click()
    await files.nth(2).dblclick()
    await page.getByRole('dialog', { name: 'Details' }).waitFor()
    await opened.close()
  })

  test('where a selection ends, the focus stays in the list', async () => {
    const opened = await signedIn(browser, service)
    const { page, files } = opened
    const toolbar = page.getByRole('toolbar', { name: 'Selection' })
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'))
    await files.nth(2).click()
    await toolbar.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(focused).toBe('3')
    await page.keyboard.press('Delete')
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).waitFor()
    await expect.poll(focused).toBe('3')
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: '27 files' }).waitFor()
    await opened.close()
  })

  test('typing finds folders whose names have spaces, and opens none', async () => {
    const opened = await signedIn(browser, service)
    const { page, folders } = opened
    await folders.first().focus()
    await page.keyboard.type('public gal')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Public gallery')
    assert.equal(page.url(), `${service.baseUrl}/console/`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/folder\/\d+$/)
    await opened.close()
  })

  test('keys and typing reach folders that are far away', async () => {
    const parent = await newFolder('Years')
    for (let year = 1950; year < 2010; year++) await client['create-folder']({ body: { name: `Year ${year}`, parent } })
    const opened = await signedIn(browser, service)
    const { page, folders } = opened
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await folders.filter({ hasText: 'Years' }).press('ArrowRight')
    await folders.filter({ hasText: 'Year 1950' }).waitFor()
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('Year 2009')
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('CDN')
    await page.keyboard.type('year 2003')
    await expect.poll(focused).toBe('Year 2003')
    await opened.close()
    await client['delete-folder']({ params: { id: parent } })
  })

  test('a list without files is a list, too; a folder that is not there is told', async () => {
    const opened = await signedIn(browser, service, { address: '/console/search?q=nothingofthekind' })
    const { page } = opened
    await page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    await page.getByRole('listbox', { name: 'Files' }).waitFor()
    await opened.goTo('/console/folder/1999999999')
    await page.getByRole('alert').filter({ hasText: 'It is no longer there.' }).waitFor()
    assert.equal(await page.getByText('Nothing here yet.').count(), 0)
    await opened.close()
  })

  test('folders are made, renamed, tagged and thrown away where they are, and typing finds them', async () => {
    // Another try finds the folders of this one in the library that the other tests share.
    const own = await startService()
    onTestFinished(() => own.stop())
    const opened = await signedIn(browser, own)
    const { page, folders } = opened
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Zebra')
    await page.keyboard.press('Enter')
    await folders.filter({ hasText: 'Zebra' }).waitFor()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nothing')
    await page.keyboard.press('Escape')
    assert.equal(await folders.filter({ hasText: 'Nothing' }).count(), 0)

    await folders.first().focus()
    await page.keyboard.type('zeb')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Zebra')
    await page.keyboard.press('Shift+F10')
    const items = page.getByRole('menuitem')
    await expect
      .poll(async () => (await items.allTextContents()).map((name) => name.trim()))
      .toEqual(['Rename', 'Move', 'Share', 'Tags', 'Zip', 'Trash'])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Okapi')
    await page.keyboard.press('Enter')
    const okapi = folders.filter({ hasText: 'Okapi' })
    await okapi.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Tags' }).click()
    const tags = page.getByRole('dialog', { name: 'Tags of Okapi' })
    await tags.getByRole('textbox', { name: 'New tag' }).fill('striped, shy')
    await tags.getByRole('button', { name: 'Add' }).click()
    await tags.getByText('striped').waitFor()
    await page.keyboard.press('Escape')

    await okapi.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move' }).click()
    const move = page.getByRole('dialog', { name: 'Move Okapi' })
    // The dialog is gone before it knows what is above the chosen folder.
    const { promise: isGone, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/folder/*/path', (route) => isGone.then(() => route.continue()))
    await move.getByRole('treeitem', { name: 'Press' }).click()
    // For a moment the answer of the new place says that the folder is there, and that of the old one doesn't say yet that it is gone.
    const isInPress = page.waitForResponse(/\/folder\?parent=[1-9]/)
    await page.route(/\/folder\?parent=0/, (route) => isInPress.then(() => route.continue()))
    await move.getByRole('button', { name: 'Move' }).click()
    await move.waitFor({ state: 'detached' })
    const path = page.waitForResponse(/\/folder\/\d+\/path$/)
    letGo()
    await path
    await expect.poll(() => okapi.getAttribute('aria-level')).toBe('2')

    await okapi.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Trash' }).click()
    await okapi.waitFor({ state: 'detached' })
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await okapi.waitFor()
    await opened.close()
  })
})
