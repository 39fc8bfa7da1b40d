import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { putMedia } from '../support/media.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

const FILES = 80
const DAY_MS = 86_400_000
const isoDay = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('the list of files', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = await provisioning(service)
  afterAll(() => accounts.close())
  const many = await newFolder('Many')
  // A file a day, each with a byline, so that the scale of days has something to show.
  const put = (mediaId: number, media: Partial<Parameters<typeof putMedia>[1]>) =>
    putMedia(accounts.table, { companyId: service.demo.company_id, folders: [many], modified: Date.now(), mediaId, ...media })
  for (let index = 0; index < FILES; index++) {
    const name = `file-${String(index).padStart(3, '0')}.jpg`
    const byline = index % 2 === 0 ? 'Ann' : 'Bob'
    const size = { width: 300, height: 200, bytes: 1_000 * (FILES - index) }
    await put(5_000 + index, { filename: name, created: Date.UTC(2025, 0, 1) + index * DAY_MS, byline, ...size })
  }
  const ended = await newFolder('Ended')
  const [over, soon, later] = await fill(client, ended, ['over.jpg', 'soon.jpg', 'later.jpg'])
  for (const [id, day] of [
    [over, isoDay(-3)],
    [soon, isoDay(9)],
    [later, isoDay(90)],
  ] as const)
    await client['set-expiration-date']({ params: { id: id! }, body: { expiration_date: day } })

  const openMany = async (options = {}): Promise<ConsolePage> => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${many}`, ...options })
    await expect.poll(() => opened.status.textContent()).toBe(`${FILES} files`)
    return opened
  }
  const asTable = async (page: Page) => {
    await page.getByRole('button', { name: 'List', exact: true }).click()
    return page.getByRole('grid', { name: 'Files' })
  }
  /** The last file of the first row. */
  const lastOfFirstRow = async ({ files }: ConsolePage) => {
    const tops = await files.evaluateAll((options) => options.map((option) => option.getBoundingClientRect().top))
    return files.nth(tops.lastIndexOf(tops[0]!))
  }

  test('the tick of the last picture of a row is clicked, and the scale of days goes to another day', async () => {
    const opened = await openMany()
    const last = await lastOfFirstRow(opened)
    const { x, y, width } = (await last.boundingBox())!
    await opened.page.mouse.click(x + width - 16, y + 16)
    await expect.poll(() => last.getAttribute('aria-selected')).toBe('true')
    assert.equal((await opened.names())[0], `file-0${FILES - 1}.jpg`)
    await opened.page.mouse.click(1280 - 40, 700)
    await expect.poll(async () => (await opened.names()).includes('file-000.jpg')).toBe(true)
    await opened.close()
  })

  test('on touch the last picture of a row opens, also after a scroll; margins are equal', async () => {
    const opened = await openMany(touch)
    await opened.page.evaluate(() => document.querySelector('[role=listbox]')!.parentElement!.scrollBy(0, 40))
    const last = await lastOfFirstRow(opened)
    const [first, end] = [await opened.files.first().boundingBox(), await last.boundingBox()]
    assert.equal(first!.x, 390 - end!.x - end!.width)
    const name = await last.getAttribute('aria-label')
    await opened.page.touchscreen.tap(end!.x + end!.width - 12, end!.y + end!.height - 12)
    const details = opened.page.getByRole('dialog', { name: 'Details' })
    await details.getByText(name!).first().waitFor()
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), 390)
    await opened.close()
  })

  test('in a grid with columns a first click sorts ascending, a second descending, and the address has it', async () => {
    const opened = await openMany()
    const { page } = opened
    const grid = await asTable(page)
    assert.equal(await grid.getAttribute('aria-rowcount'), String(FILES + 1))
    for (const name of ['Name', 'Size', 'Kind', 'Taken', 'Uploaded', 'Byline', 'Folder', 'Expires'])
      assert.equal(await grid.getByRole('columnheader', { name, exact: true }).count(), 1, name)
    const header = (name: string) => grid.getByRole('columnheader', { name, exact: true })
    const first = () => grid.getByRole('row').nth(1).getAttribute('aria-label')
    assert.equal(await header('Uploaded').getAttribute('aria-sort'), 'descending')
    await header('Size').getByRole('button').click()
    await expect.poll(first).toBe(`file-0${FILES - 1}.jpg`)
    assert.equal(await header('Size').getAttribute('aria-sort'), 'ascending')
    assert.match(page.url(), /order=size&direction=asc/)
    await page.getByRole('button', { name: 'Size', exact: true }).press('Enter')
    await expect.poll(first).toBe('file-000.jpg')
    assert.equal(await header('Size').getAttribute('aria-sort'), 'descending')
    await header('Name').getByRole('button').click()
    await expect.poll(() => header('Name').getAttribute('aria-sort')).toBe('ascending')
    assert.match(page.url(), /order=filename$/)
    await page.goBack()
    await expect.poll(() => header('Size').getAttribute('aria-sort')).toBe('descending')
    const cells = grid.getByRole('row').nth(1).getByRole('gridcell')
    await expect.poll(async () => (await cells.allTextContents()).map((text) => text.trim())).toContain('Many')
    await opened.close()
  })

  test('keys go through the grid with columns as through pictures; its head is one stop', async () => {
    const opened = await openMany()
    const { page } = opened
    const grid = await asTable(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))
    await grid.getByRole('button', { name: 'Name' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent.trim()), 'Size')
    assert.equal(await grid.locator('button[tabindex="0"]').count(), 1)
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('2')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('2 selected').waitFor()
    assert.equal(await grid.getByRole('row', { selected: true }).count(), 2)
    await page.keyboard.press('End')
    await expect.poll(focused).toBe(String(FILES + 1))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Details' }).waitFor()
    await opened.close()
  })

  test('columns, size of pictures and names are chosen, and kept', async () => {
    const opened = await openMany()
    const { page, files } = opened
    const height = async () => (await files.first().boundingBox())!.height
    const before = await height()
    const slider = page.getByRole('slider', { name: 'Size of pictures' })
    await slider.focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(height).toBeGreaterThan(before)
    await page.getByRole('checkbox', { name: 'Show names' }).check()
    await files.first().getByText('file-079.jpg').waitFor()
    const grid = await asTable(page)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Byline' }).uncheck()
    assert.equal(await grid.getByRole('columnheader', { name: 'Byline' }).count(), 0)
    await page.reload()
    await grid.waitFor()
    assert.equal(await grid.getByRole('columnheader', { name: 'Byline' }).count(), 0)
    assert.equal(await grid.getByRole('columnheader').count(), 7)
    await page.getByRole('button', { name: 'Grid', exact: true }).click()
    assert.ok(await page.getByRole('checkbox', { name: 'Show names' }).isChecked())
    const kept = await page.evaluate(() => Object.keys(localStorage).toSorted())
    assert.deepEqual(kept, ['console.columns', 'console.names', 'console.picture-size', 'console.view'])
    await opened.close()
  })

  test('names say what has expired, and what expires within 30 days', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${ended}` })
    const day = new Date(`${isoDay(9)}T00:00:00Z`).toLocaleDateString('en-GB', { month: 'short', day: 'numeric', timeZone: 'UTC' })
    await expect.poll(async () => (await opened.names()).toSorted()).toEqual(['later.jpg', 'over.jpg, Expired', `soon.jpg, Expires ${day}`])
    const grid = await asTable(opened.page)
    await grid.getByRole('row', { name: 'over.jpg, Expired' }).waitFor()
    await opened.close()
  })

  test('a slow list says that it loads, and neither that there is nothing nor what was there before', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${ended}` })
    const { page } = opened
    await expect.poll(() => opened.files.count()).toBe(3)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/search/layout*', async (route) => {
      await held
      await route.continue()
    })
    await opened.folders.filter({ hasText: 'Many' }).click()
    await page.getByRole('heading', { name: 'Many' }).waitFor()
    await page.getByRole('progressbar').waitFor()
    assert.equal(await page.getByRole('listbox', { name: 'Files' }).getAttribute('aria-busy'), 'true')
    assert.equal(await opened.files.count(), 0)
    assert.equal(await page.getByText('No files').count(), 0)
    letGo()
    await expect.poll(() => opened.status.textContent()).toBe(`${FILES} files`)
    assert.equal(await page.getByRole('progressbar').count(), 0)
    assert.equal(await page.getByRole('listbox', { name: 'Files' }).getAttribute('aria-busy'), 'false')
    await opened.close()
  })

  test.each(['light', 'dark'] as const)('axe finds nothing in grid and list, %s', async (colorScheme) => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${ended}`, colorScheme })
    await expect.poll(() => opened.files.count()).toBe(3)
    const look = async () => {
      const { violations } = await new AxeBuilder({ page: opened.page }).analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
      )
    }
    await opened.files.first().click()
    await look()
    await asTable(opened.page)
    await look()
    await opened.close()
  })
})
