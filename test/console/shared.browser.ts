import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { openConsole } from './console-page.ts'
import { fill } from './library.ts'

describe('the page behind a share link', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const folder = await newFolder('Press kit')
  await fill(client, folder, ['picture-1.jpg', 'picture-2.jpg', 'picture-3.jpg'])
  await fill(client, await newFolder('Portraits', folder), ['portrait.jpg'])

  const share = async (more: object = {}) => {
    const { body } = await client['create-share']({ body: { folder_id: folder, title: 'For you', ...more } })
    return { id: body.id, address: new URL(body.url!).pathname }
  }
  const names = (page: Page) => page.getByRole('listbox').getByRole('option').allTextContents()
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])

  test('shows files and folders, and opens a file by a click and by keys', async () => {
    const { id, address } = await share({ message: 'Hello', allow: { download: 'original' } })
    const { page, goTo, close } = await openConsole(browser, service)
    await goTo(address)
    await page.getByRole('heading', { name: 'For you' }).waitFor()
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await page.getByRole('option').first().click()
    const viewer = page.getByRole('dialog', { name: 'Details' })
    await viewer.getByRole('heading', { name: 'picture-1.jpg' }).waitFor()
    await viewer.getByRole('img', { name: 'picture-1.jpg' }).waitFor()
    const saved = page.waitForEvent('download')
    await viewer.getByRole('button', { name: 'Download' }).click()
    assert.equal((await saved).suggestedFilename(), 'picture-1.jpg')
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('heading', { name: 'picture-2.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.locator(':focus').getAttribute('data-index')).toBe('1')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await viewer.getByRole('heading', { name: 'picture-3.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Portraits, 1 file' }).click()
    await expect.poll(async () => (await names(page)).length).toBe(1)
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Press kit' }).click()
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await client['delete-share']({ params: { shareId: id } })
    await page.getByRole('link', { name: 'Portraits, 1 file' }).click()
    await page.getByText('This link has ended').waitFor()
    await close()
  })

  test('says whose it is, until when, and how much', async () => {
    const { address } = await share({ expires: '2099-02-03T10:00:00Z' })
    const { page, goTo, close } = await openConsole(browser, service)
    await goTo(address)
    const { fullname } = (await client['get-user']({ params: { id: service.demo.user_id } })).body
    await page.getByText(`Shared by ${fullname}`).waitFor()
    await page.getByText(/until .*2099/).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^3 files$/ })
      .waitFor()
    assert.equal(await page.getByRole('list', { name: 'Subfolders' }).getByRole('link').locator('img').count(), 1)
    await close()
  })

  test("follows the browser's history: Back closes a file and goes up, reload stays", async () => {
    const { address } = await share()
    const { page, goTo, close } = await openConsole(browser, service)
    const viewer = page.getByRole('dialog', { name: 'Details' })
    await goTo(address)
    await page.getByRole('link', { name: 'Portraits, 1 file' }).click()
    await expect.poll(async () => (await names(page)).length).toBe(1)
    assert.match(page.url(), /\?folder=\d+$/)
    await page.getByRole('option').click()
    await viewer.getByRole('heading', { name: 'portrait.jpg' }).waitFor()
    assert.match(page.url(), /\?folder=\d+&file=\d+$/)
    await page.reload()
    await viewer.getByRole('heading', { name: 'portrait.jpg' }).waitFor()
    await page.goBack()
    await viewer.waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Path' }).waitFor()
    await page.goBack()
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await page.goForward()
    await page.goForward()
    await viewer.getByRole('button', { name: 'Close' }).click()
    await viewer.waitFor({ state: 'detached' })
    await goTo(`${address}?folder=1&file=x`)
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await close()
  })

  test('is swiped through on touch', async () => {
    const { address } = await share()
    const { page, goTo, close } = await openConsole(browser, service, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    })
    await goTo(address)
    await page.getByRole('option').first().tap()
    const viewer = page.getByRole('dialog', { name: 'Details' })
    await viewer.getByRole('img', { name: 'picture-1.jpg' }).waitFor()
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
    await touch('touchStart', 300)
    for (const x of [280, 220, 160, 100]) await touch('touchMove', x)
    await touch('touchEnd')
    await viewer.getByRole('heading', { name: 'picture-2.jpg' }).waitFor()
    await close()
  })

  test('downloads some files as one archive', async () => {
    const { address } = await share({ allow: { download: 'original' } })
    const { page, goTo, close } = await openConsole(browser, service)
    await goTo(address)
    await page
      .getByRole('option')
      .first()
      .click({ modifiers: ['Control'] })
    await page.getByRole('option').nth(2).click()
    const toolbar = page.getByRole('toolbar', { name: 'Selection' })
    await toolbar.getByText('2 selected').waitFor()
    assert.deepEqual(await violations(page), [])
    const saved = page.waitForEvent('download', { timeout: 120_000 })
    await toolbar.getByRole('button', { name: 'Download' }).click()
    assert.match((await saved).suggestedFilename(), /\.zip$/)
    await toolbar.getByRole('button', { name: 'Clear' }).click()
    await toolbar.waitFor({ state: 'detached' })
    await close()
  })

  test('does not look empty where there are folders alone', async () => {
    const top = await newFolder('Only folders')
    for (const day of ['Day one', 'Day two']) await fill(client, await newFolder(day, top), [`${day}.jpg`])
    const { address } = await share({ folder_id: top })
    const { page, goTo, close } = await openConsole(browser, service)
    await goTo(address)
    await page.getByRole('status').filter({ hasText: '2 files in subfolders' }).waitFor()
    await page.getByRole('list', { name: 'Subfolders' }).getByRole('link', { name: 'Day two, 1 file' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Show them' }).click()
    await expect.poll(async () => (await names(page)).length).toBe(2)
    await page.goBack()
    await page.getByRole('button', { name: 'Show them' }).waitFor()
    await close()
  })

  test('asks for the password', async () => {
    const { address } = await share({ password: 'open sesame' })
    const { page, goTo, close } = await openConsole(browser, service)
    await goTo(address)
    const field = page.getByLabel('Password')
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'not the password' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await field.fill('open sesame')
    await field.press('Enter')
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await page.reload()
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await close()
  })

  test('takes files, by the button and by keys, and says what became of them', async () => {
    const inbox = await newFolder('Inbox')
    const { id, address } = await share({ folder_id: inbox, allow: { upload: true } })
    const { page, goTo, close } = await openConsole(browser, service, { viewport: { width: 320, height: 640 } })
    await goTo(address)
    const panel = page.getByRole('region', { name: 'Uploads' })
    const send = async (...sent: string[]) => {
      const chooser = page.waitForEvent('filechooser')
      await panel.getByRole('button', { name: 'Upload' }).focus()
      await page.keyboard.press('Enter')
      const files = sent.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`This is ${name}.`) }))
      await (await chooser).setFiles(files)
    }
    await send('one.txt', 'a very long name of a file that fits no narrow screen at all.txt')
    await panel.getByRole('status').filter({ hasText: 'uploaded 2, failed 0' }).waitFor()
    const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
    assert.deepEqual([await violations(page), await isNarrow()], [[], true])
    const found = async () =>
      (await client['search-media']({ query: { folder_ids: [inbox], return_values: ['unique_media_id'] } })).body.response.hits
    await expect.poll(found, { timeout: 60_000 }).toBe(2)
    assert.equal((await client['get-share']({ params: { shareId: id } })).body.uploads, 2)
    // The page shows them by itself.
    await expect.poll(async () => (await names(page)).length).toBe(2)

    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Dropped.'], 'dropped.txt', { type: 'text/plain' }))
      return transfer
    })
    await panel.dispatchEvent('drop', { dataTransfer: dropped })
    await panel.getByRole('listitem').filter({ hasText: 'dropped.txt' }).filter({ hasText: 'Uploaded' }).waitFor()
    await expect.poll(async () => (await names(page)).length).toBe(3)
    await client['change-share']({ params: { shareId: id }, body: { allow: { upload: false } } })
    await send('late.txt')
    await panel.getByRole('status').filter({ hasText: 'uploaded 3, failed 1' }).waitFor()
    await panel.getByRole('button', { name: 'Retry failed' }).waitFor()
    await client['delete-share']({ params: { shareId: id } })
    await send('later.txt')
    await page.getByText('This link has ended').waitFor()
    await close()
  })

  test('offers an archive where the link gives previews, and none where it gives nothing', async () => {
    const { page, goTo, close } = await openConsole(browser, service)
    const button = page.getByRole('button', { name: 'Download all' })
    await goTo((await share({ allow: { download: 'preview' } })).address)
    const saved = page.waitForEvent('download', { timeout: 120_000 })
    await button.click()
    assert.match((await saved).suggestedFilename(), /\.zip$/)
    await goTo((await share({ allow: { download: 'none' } })).address)
    await expect.poll(async () => (await names(page)).length).toBe(3)
    assert.equal(await button.count(), 0)
    await close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`is for everybody, ${colorScheme}: axe finds nothing, and nothing scrolls sideways in 320 pixels`, async () => {
      const { address } = await share({ allow: { download: 'original' }, message: 'Hello' })
      const { page, goTo, close } = await openConsole(browser, service, { colorScheme, viewport: { width: 320, height: 640 } })
      await goTo(address)
      await expect.poll(async () => (await names(page)).length).toBe(3)
      const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      assert.deepEqual([await violations(page), await isNarrow()], [[], true])
      await page.getByRole('option').first().click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      assert.deepEqual([await violations(page), await isNarrow()], [[], true])
      await close()
    })
  }

  test('speaks the language of its browser', async () => {
    const { address } = await share({ password: 'open sesame' })
    for (const [locale, words] of [
      ['da-DK', 'Dette link kræver en adgangskode.'],
      ['de-DE', 'Dieser Link verlangt ein Passwort.'],
    ] as const) {
      const { page, goTo, close } = await openConsole(browser, service, { locale })
      await goTo(address)
      await page.getByRole('heading', { name: words }).waitFor()
      await close()
    }
  })

  test('says in the language of its browser that the link has ended, to somebody who comes then', async () => {
    const { id, address } = await share()
    await client['delete-share']({ params: { shareId: id } })
    for (const [locale, words] of [
      ['en-GB', 'This link has ended, or it never was.'],
      ['da-DK', 'Dette link er udløbet, eller det har aldrig eksisteret.'],
      ['de-DE', 'Dieser Link ist abgelaufen, oder es gab ihn nie.'],
    ] as const) {
      const { page, goTo, close } = await openConsole(browser, service, { locale, viewport: { width: 320, height: 640 } })
      await goTo(address)
      await page.getByRole('status').filter({ hasText: words }).waitFor()
      assert.deepEqual(await violations(page), [])
      await close()
    }
  })
})
