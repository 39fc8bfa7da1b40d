import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('one file in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  const ids = await fill(client, service.demo.folder_id, ['one.jpg', 'two.jpg', 'three.jpg'])

  const document = async (id: number) => (await client['get-media']({ params: { id } })).body
  const version = async (id: number) => (await client['get-version']({ params: { id } })).body.version

  test('all fields are changed by one request, which makes one version', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${ids[0]}` })
    const { page } = opened
    const details = page.getByRole('dialog', { name: 'Details' })
    await details.getByRole('textbox', { name: 'Title' }).fill('The harbour')
    await details.getByRole('textbox', { name: 'Description' }).fill('Before sunrise')
    await details.getByRole('textbox', { name: 'Byline' }).fill('Anna Berg')
    await details.getByRole('textbox', { name: 'Copyright' }).fill('Example Ltd')
    await details.getByRole('textbox', { name: 'Expiration date' }).fill('2031-05-06')
    await details.getByRole('combobox', { name: 'Keywords' }).fill('boat')
    await page.keyboard.press('Enter')
    await details.getByRole('combobox', { name: 'Keywords' }).fill('dawn')
    await page.keyboard.press('Enter')
    const writes: (string | undefined)[] = []
    page.on('request', (request) => request.method() !== 'GET' && writes.push(request.headers()['if-match']))
    const before = await version(ids[0]!)
    await details.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => version(ids[0]!)).toBe(before + 1)
    const { metadata, byline, copyright, expiration_date } = await document(ids[0]!)
    assert.deepEqual(metadata.title, { en: 'The harbour' })
    assert.deepEqual(metadata.description, { en: 'Before sunrise' })
    assert.deepEqual(metadata.keywords, { en: ['boat', 'dawn'] })
    assert.deepEqual([byline, copyright, expiration_date], ['Anna Berg', 'Example Ltd', '2031-05-06'])
    assert.deepEqual(writes, [`"${before}"`])
    await opened.close()
  })

  test('texts of other languages stand beside each other', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${ids[2]}` })
    const details = opened.page.getByRole('dialog', { name: 'Details' })
    await details.getByRole('textbox', { name: 'Title' }).fill('Dawn')
    await details.getByRole('tablist', { name: 'Language' }).getByRole('tab', { name: 'Dansk' }).click()
    assert.equal(await details.getByRole('textbox', { name: 'Title' }).inputValue(), '')
    await details.getByRole('textbox', { name: 'Title' }).fill('Daggry')
    await details.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await document(ids[2]!)).metadata.title).toEqual({ en: 'Dawn', da: 'Daggry' })
    await opened.close()
  })

  test('is shown over its list: Previous, Next and Back, then the list where it was', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${service.demo.folder_id}` })
    const { page, files } = opened
    await files.nth(1).dblclick()
    const details = page.getByRole('dialog', { name: 'Details' })
    await details.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(`**/console/file/${ids[0]}`)
    await details.getByRole('button', { name: 'Previous' }).click()
    await page.waitForURL(`**/console/file/${ids[1]}`)
    await details.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL(`**/console/folder/${service.demo.folder_id}`)
    await files.nth(0).dblclick()
    await details.waitFor()
    await page.goBack()
    await details.waitFor({ state: 'detached' })
    await opened.close()
  })

  test('downloads, and goes to the trash and back', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${service.demo.folder_id}` })
    const { page, files, status } = opened
    await expect.poll(() => status.textContent()).toBe('3 files')
    await files.nth(0).dblclick()
    const details = page.getByRole('dialog', { name: 'Details' })
    const downloads = page.waitForEvent('download')
    await details.getByRole('button', { name: 'Download', exact: true }).click()
    assert.equal((await downloads).suggestedFilename(), 'three.jpg')
    await page.keyboard.press('Escape')

    await files.nth(0).focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => status.textContent()).toBe('2 files')
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => status.textContent()).toBe('3 files')

    await files.nth(0).click()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Trash' }).click()
    await expect.poll(() => status.textContent()).toBe('2 files')
    await page.getByRole('link', { name: 'Trash' }).click()
    await expect.poll(() => status.textContent()).toBe('1 file')
    await files.nth(0).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    await opened.close()
  })
})
