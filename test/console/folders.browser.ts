import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const subfolders = (page: Page) => page.getByRole('list', { name: 'Subfolders' }).getByRole('link')
const path = (page: Page) => page.getByRole('navigation', { name: 'Path' })
const namesOf = (links: Locator) => links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label')))
const isWideAs = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

describe('folders in the page of the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const foldersOf = async (id: number) => (await client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id)

  const press = await newFolder('Press 2026')
  const days = await newFolder('Days', press)
  const one = await newFolder('Day one', days)
  const two = await newFolder('Day two', days)
  const empty = await newFolder('Nobody came', press)
  const [first] = await fill(client, one, ['a.jpg', 'b.jpg'])
  await fill(client, two, ['c.jpg'])
  // A file in two folders counts once.
  await client['copy-media']({ params: { id: first!, folderId: two } })

  const open = (address: string, options = {}) => signedIn(browser, service, { address, ...options })

  test('a folder that holds only folders says how many files are below, shows them, and the way down and up', async () => {
    const opened = await open(`/console/folder/${press}`)
    const { page } = opened
    await expect.poll(() => opened.status.textContent()).toBe('3 files in subfolders')
    await expect.poll(() => namesOf(subfolders(page))).toEqual(['Days, 3 files', 'Nobody came, 0 files'])
    await expect.poll(() => subfolders(page).first().locator('img').count()).toBe(1)
    assert.equal(await page.getByText('Nothing here yet').count(), 0)

    await subfolders(page).first().click()
    await expect.poll(() => namesOf(subfolders(page))).toEqual(['Day one, 2 files', 'Day two, 2 files'])
    await page.getByRole('heading', { name: 'Days', level: 1 }).waitFor()
    await subfolders(page).nth(1).press('Enter')
    await expect.poll(() => opened.status.textContent()).toBe('2 files')
    assert.deepEqual(await path(page).getByRole('link').allTextContents(), ['Press 2026', 'Days'])
    assert.equal(await path(page).locator('[aria-current]').textContent(), 'Day two')
    assert.equal(await subfolders(page).count(), 0)
    await path(page).getByRole('link', { name: 'Press 2026' }).click()
    await expect.poll(() => page.url()).toContain(`/console/folder/${press}`)
    await page.goBack()
    await path(page).getByRole('link', { name: 'Days' }).waitFor()
    await opened.close()
  })

  test('subfolders are shown with their files on demand, and stay so from folder to folder', async () => {
    const opened = await open(`/console/folder/${press}`)
    const { page } = opened
    const box = page.getByRole('checkbox', { name: 'With subfolders' })
    const has = async (text: string) => {
      await expect.poll(() => opened.status.textContent()).toBe(text)
      assert.equal(await box.isChecked(), true)
    }
    await page.getByRole('button', { name: 'Show them' }).click()
    await has('3 files')
    assert.equal(await page.getByRole('button', { name: 'Show them' }).count(), 0)
    await subfolders(page).filter({ hasText: 'Days' }).click()
    await page.getByRole('heading', { name: 'Days' }).waitFor()
    await has('3 files')
    await opened.folders.filter({ hasText: 'Nobody came' }).click()
    await has('No files')
    await path(page).getByRole('link', { name: 'Press 2026' }).click()
    await has('3 files')
    await box.uncheck()
    await expect.poll(() => opened.status.textContent()).toBe('3 files in subfolders')
    await opened.close()
  })

  test('a folder without files below says so', async () => {
    const opened = await open(`/console/folder/${empty}`)
    await expect.poll(() => opened.status.textContent()).toBe('No files')
    await opened.page.getByText('Nothing here yet').waitFor()
    await newFolder('Later', empty)
    await expect.poll(() => namesOf(subfolders(opened.page)), { timeout: 30_000 }).toEqual(['Later, 0 files'])
    await opened.close()
  })

  test('files move to the folder whose tile they are dropped on', async () => {
    const from = await newFolder('From')
    const to = await newFolder('To', from)
    const [moved] = await fill(client, from, ['moved.jpg', 'stays.jpg'])
    const opened = await open(`/console/folder/${from}`)
    await expect.poll(() => opened.files.count()).toBe(2)
    await opened.files.filter({ hasText: 'moved' }).dragTo(subfolders(opened.page).first())
    await expect.poll(() => foldersOf(moved!)).toEqual([to])
    await expect.poll(() => namesOf(subfolders(opened.page))).toEqual(['To, 1 file'])
    await opened.close()
  })

  test('on a phone folders are entered and left by taps', async () => {
    const opened = await open(`/console/folder/${press}`, PHONE)
    const { page } = opened
    await subfolders(page).filter({ hasText: 'Days' }).tap()
    await subfolders(page).filter({ hasText: 'Day one' }).tap()
    await expect.poll(() => opened.status.textContent()).toBe('2 files')
    assert.equal(await isWideAs(page), true)
    await path(page).getByRole('link', { name: 'Days' }).tap()
    await expect.poll(() => subfolders(page).count()).toBe(2)
    await opened.close()
  })

  test('names of any kind neither run nor break the page, and axe finds nothing', async () => {
    const hostile = ['<img src=x onerror=alert(1)>', 'ملفات الصحافة', '🌊 Meer', 'x'.repeat(255)]
    const top = await newFolder('W'.repeat(255))
    for (const name of hostile) await newFolder(name, top)
    const deep = await newFolder('Deep', await newFolder(hostile[0]!, await newFolder(hostile[1]!, top)))
    for (const options of [{}, PHONE]) {
      const opened = await open(`/console/folder/${top}`, options)
      const { page } = opened
      for (const address of [top, deep]) {
        await opened.goTo(`/console/folder/${address}`)
        if (address === top)
          await expect
            .poll(async () => (await namesOf(subfolders(page))).sort())
            .toEqual([...hostile, hostile[1]].map((name) => `${name}, 0 files`).sort())
        else await expect.poll(() => path(page).getByRole('link').count()).toBe(3)
        assert.equal(await isWideAs(page), true)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
            [],
          )
        }
      }
      await opened.close()
    }
  })

  test('of many folders those in view are asked for, few at a time', async () => {
    const many = await newFolder('Many')
    for (let n = 0; n < 200; n++) await newFolder(`Folder ${String(n).padStart(3, '0')}`, many)
    const opened = await open('/console/trash')
    const { page } = opened
    let [present, most, asked] = [0, 0, 0]
    await page.route(/\/search\?.*media_count=4/, async (route) => {
      asked++
      most = Math.max(most, ++present)
      await route.continue()
    })
    page.on('requestfinished', (request) => {
      if (/\/search\?.*media_count=4/.test(request.url())) present--
    })
    await opened.goTo(`/console/folder/${many}`)
    await expect.poll(() => subfolders(page).count()).toBe(200)
    await expect.poll(() => namesOf(subfolders(page).first())).toEqual(['Folder 000, 0 files'])
    const last = subfolders(page).last()
    assert.equal(await last.getAttribute('aria-label'), 'Folder 199')
    await last.scrollIntoViewIfNeeded()
    await expect.poll(() => last.getAttribute('aria-label')).toBe('Folder 199, 0 files')
    assert.ok(most <= 5, `${most} at a time`)
    assert.ok(asked < 200, `${asked} were asked for`)
    await opened.close()
  })

  test('a folder in the trash shows what is in it', async () => {
    const gone = await newFolder('Gone')
    const inner = await newFolder('Inner', gone)
    await client['move-folder-to-trash']({ params: { id: gone } })
    const opened: ConsolePage = await open(`/console/folder/${gone}`)
    await opened.page.getByRole('heading', { name: 'Gone', level: 1 }).waitFor()
    await expect.poll(() => namesOf(subfolders(opened.page))).toEqual(['Inner, 0 files'])
    await subfolders(opened.page).first().click()
    await path(opened.page).getByRole('link', { name: 'Gone' }).waitFor()
    await expect.poll(() => opened.page.url()).toContain(`/folder/${inner}`)
    await opened.close()
  })
})
