import assert from 'node:assert/strict'
import type { Request } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('many files in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()

  let folder: number
  let other: number
  /** Name of the other folder, as trees show it: more follows. */
  let otherName: RegExp
  let ids: number[]
  beforeEach(async ({ task }) => {
    const create = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
    folder = await create(`From ${task.id}`)
    other = await create(`To ${task.id}`)
    otherName = new RegExp(`^To ${task.id}\\b`)
    ids = await fill(client, folder, ['one.jpg', 'two.jpg', 'three.jpg'])
  })

  const document = async (id: number) => (await client['get-media']({ params: { id } })).body
  const foldersOf = async (id: number) => (await client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id)
  const toolbar = ({ page }: ConsolePage) => page.getByRole('toolbar', { name: 'Selection' })
  const undo = ({ page }: ConsolePage) => page.getByRole('alert').getByRole('button', { name: 'Undo' })

  /** A folder of which all files are selected, and the requests that change something from then on. */
  async function allSelected(): Promise<ConsolePage & { writes: Request[] }> {
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    await expect.poll(() => opened.status.textContent()).toBe('3 files')
    await opened.files.first().click()
    await toolbar(opened).getByRole('button', { name: 'Select all' }).click()
    await toolbar(opened).getByText('3 selected').waitFor()
    const writes: Request[] = []
    opened.page.on('request', (request) => request.method() !== 'GET' && writes.push(request))
    return { ...opened, writes }
  }

  test('all of a list is edited by one request that names its search; what stays empty stays; Undo puts it back', async () => {
    await client['replace-metadata']({
      params: { id: ids[0]! },
      body: { title: { en: 'Before', da: 'Før' }, byline: 'Anna Berg', keywords: { en: ['boat', 'old'] } },
    })
    const opened = await allSelected()
    const { page, writes } = opened
    await toolbar(opened).getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 3 files' })
    await dialog.getByRole('textbox', { name: 'Title' }).fill('The harbour')
    await dialog.getByRole('textbox', { name: 'Copyright' }).fill('Example Ltd')
    await dialog.getByRole('textbox', { name: 'Expiration date' }).fill('2031-05-06')
    await dialog.getByRole('combobox', { name: 'Add keywords' }).fill('dawn')
    await page.keyboard.press('Enter')
    await dialog.getByRole('combobox', { name: 'Remove keywords' }).fill('old')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').filter({ hasText: '3 files changed' }).waitFor()
    assert.deepEqual(
      writes.map((request) => [new URL(request.url()).pathname, request.postDataJSON().select]),
      [['/media/bulk', { search: { folder_ids: String(folder) }, expect: 3 }]],
    )
    const changed = await document(ids[0]!)
    assert.deepEqual(changed.metadata.title, { en: 'The harbour', da: 'Før' })
    assert.deepEqual(changed.metadata.keywords, { en: ['boat', 'dawn'] })
    assert.deepEqual([changed.byline, changed.copyright, changed.expiration_date], ['Anna Berg', 'Example Ltd', '2031-05-06'])
    await expect.poll(() => opened.names()).toEqual(['The harbour', 'The harbour', 'The harbour'])

    await undo(opened).click()
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    const back = await document(ids[0]!)
    assert.deepEqual(back.metadata.title, { en: 'Before', da: 'Før' })
    assert.deepEqual(back.metadata.keywords, { en: ['boat', 'old'] })
    assert.equal(back.copyright, null)
    await expect.poll(() => opened.names()).toEqual(['three.jpg', 'two.jpg', 'Before'])
    await opened.close()
  })

  test('a selection is moved by one request, and Undo moves it back', async () => {
    const opened = await allSelected()
    const { page, writes } = opened
    await opened.files.nth(1).click({ modifiers: ['Control'] })
    await toolbar(opened).getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name: otherName }).click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '2 files moved' }).waitFor()
    assert.equal(writes.length, 1)
    assert.deepEqual(writes[0]!.postDataJSON().select, { ids: [ids[2], ids[0]] })
    assert.deepEqual(await Promise.all(ids.map(foldersOf)), [[other], [folder], [other]])
    await expect.poll(() => opened.status.textContent()).toBe('1 file')
    await undo(opened).click()
    await expect.poll(() => opened.status.textContent()).toBe('3 files')
    assert.deepEqual(await Promise.all(ids.map(foldersOf)), [[folder], [folder], [folder]])
    await opened.close()
  })

  test('copies are made by one request, and Undo takes them away', async () => {
    const opened = await allSelected()
    const { page, writes } = opened
    await toolbar(opened).getByRole('button', { name: 'Copy' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('treeitem', { name: otherName }).click()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '3 files copied' }).waitFor()
    assert.equal(writes.length, 1)
    assert.deepEqual((await foldersOf(ids[0]!)).sort(), [folder, other].sort())
    await undo(opened).click()
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    assert.deepEqual(await foldersOf(ids[0]!), [folder])
    await opened.close()
  })

  test('files of several folders go to the trash by one request a folder, and come back to them', async () => {
    await client['copy-media']({ params: { id: ids[0]!, folderId: other } })
    await client['set-title']({ params: { id: ids[0]! }, body: { en: 'quokka' } as never })
    await client['set-title']({ params: { id: ids[1]! }, body: { en: 'quokka' } as never })
    const opened = await signedIn(browser, service, { address: '/console/search?q=quokka' })
    await expect.poll(() => opened.status.textContent()).toBe('2 files')
    const writes: string[] = []
    opened.page.on('request', (request) => request.method() !== 'GET' && writes.push(new URL(request.url()).pathname))
    await opened.files.first().focus()
    await opened.page.keyboard.press('Control+a')
    await opened.page.keyboard.press('Delete')
    await opened.page.getByRole('alert').filter({ hasText: '2 files are in the trash' }).waitFor()
    await opened.page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    assert.deepEqual(writes, ['/media/bulk', '/media/bulk'])
    await undo(opened).click()
    await expect.poll(() => opened.status.textContent()).toBe('2 files')
    assert.deepEqual((await foldersOf(ids[0]!)).sort(), [folder, other].sort())
    assert.deepEqual(await foldersOf(ids[1]!), [folder])
    await opened.close()
  })

  test('tells what was refused, and why', async () => {
    const opened = await allSelected()
    // Somebody else moves one away, which this page doesn't know yet; named files aren't counted anew.
    await opened.files.nth(0).click({ modifiers: ['Control'] })
    await client['move-media']({ params: { id: ids[0]! }, body: { from: folder, to: other } })
    await toolbar(opened).getByRole('button', { name: 'Trash' }).click()
    const alert = opened.page.getByRole('alert').filter({ hasText: '1 file is in the trash' })
    await expect.poll(() => alert.textContent()).toMatch(/1 refused: .*no longer in the folder/)
    await opened.close()
  })

  test('a search that finds other files meanwhile is not changed, but told', async () => {
    const opened = await allSelected()
    await fill(client, folder, ['four.jpg'])
    await toolbar(opened).getByRole('button', { name: 'Trash' }).click()
    await opened.page.getByRole('alert').filter({ hasText: 'The list has changed' }).waitFor()
    await expect.poll(() => opened.status.textContent()).toBe('4 files')
    await opened.close()
  })

  test('an archive of a selection is made and downloaded', async () => {
    const opened = await allSelected()
    const downloads = opened.page.waitForEvent('download')
    await toolbar(opened).getByRole('button', { name: 'Download', exact: true }).click()
    assert.match((await downloads).suggestedFilename(), /\.zip$/)
    assert.deepEqual(
      opened.writes.map((request) => [new URL(request.url()).pathname, request.postDataJSON().media_ids]),
      [['/zip-file', [ids[2], ids[1], ids[0]]]],
    )
    await opened.close()
  })
})
