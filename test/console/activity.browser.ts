import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { until } from '../support/until.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

/** More than the page shows at first. */
const FOLDERS = 60

describe('activity in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = await provisioning(service)
  const formula = await accounts.user({ username: '=1+cmd' })
  accounts.close()
  const folder = await newFolder('@Press, "spring"')
  for (let n = 1; n <= FOLDERS; n++) await newFolder(`Folder ${n}`, folder)
  await (await service.client(formula.authorization))['create-folder']({ body: { name: 'Own' } })
  const old = await newFolder('Old')
  const [thrown = 0] = await fill(client, old, ['thrown.jpg'])
  await client['move-folder-to-trash']({ params: { id: old } })
  const [kept = 0, gone = 0] = await fill(client, folder, ['kept.jpg', 'gone.jpg'])
  await client['remove-media']({ params: { id: gone, folderId: folder } })
  await until(async () => (await client['list-events']({ query: { types: ['media.deleted'] } })).body.events.length === 1)

  const items = (page: Page) => page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  const choose = (page: Page, field: string, label: string) =>
    page.getByRole('combobox', { name: field, exact: true }).selectOption({ label })

  /** Rows of the table that is downloaded, by the names of its columns. */
  async function csv(page: Page): Promise<Record<string, string>[]> {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()])
    assert.equal(download.suggestedFilename(), 'activity.csv')
    return parse(await readFile(await download.path()), { columns: true, bom: true })
  }

  test('tells newest first who did what, when and from where, with links to what is still there', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await items(page).first().waitFor()
    assert.equal(await items(page).count(), 50)
    const [deleted, second] = [items(page).first(), items(page).filter({ hasText: 'kept.jpg' })]
    assert.match(
      await deleted.innerText(),
      new RegExp(`20\\d\\d.*Demo user.*127\\.0\\.0\\.0/24.*File deleted.*File ${gone}.*In @Press, "spring"`, 's'),
    )
    assert.equal(await deleted.getByRole('link').count(), 0)
    assert.match(await second.innerText(), /Demo user.*File uploaded.*kept\.jpg/s)
    await second.getByRole('link', { name: 'kept.jpg' }).click()
    await page.getByRole('dialog', { name: 'Details' }).waitFor()
    assert.ok(page.url().endsWith(`/console/file/${kept}`))
    await page.goBack()
    await items(page).first().waitFor()
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    await page.getByRole('button', { name: 'Show more' }).click()
    await items(page).getByText('@Press, "spring"', { exact: true }).waitFor()
    assert.ok(asked.some(({ pathname }) => pathname.endsWith('/event')))
    // Names that are on the page already are not asked for again.
    assert.deepEqual(
      asked
        .filter(({ pathname, search }) => pathname.endsWith('/users') || (pathname === '/folder' && search.includes(String(folder))))
        .map(String),
      [],
    )
    const texts = await items(page).allInnerTexts()
    const times = await items(page)
      .locator('time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')!))
    assert.ok(texts.length > FOLDERS)
    assert.deepEqual(times, times.toSorted().toReversed())
    await opened.close()
  })

  test('is narrowed by person, kind and days, which its address keeps; the table holds all that the filters ask for', async () => {
    const opened = await signedIn(browser, service, { address: '/console/activity' })
    const { page } = opened
    await choose(page, 'What happened', 'Folder made')
    await expect.poll(() => items(page).filter({ hasText: 'File' }).count()).toBe(0)
    await choose(page, 'Person', 'Demo user')
    await page.waitForURL('**/console/activity?person=*&kind=folder.created')
    await page.reload()
    await expect.poll(() => items(page).count()).toBe(50)
    const made = await csv(page)
    assert.ok(made.every(({ type, person }) => type === 'folder.created' && person === 'Demo user'))
    assert.deepEqual(
      made.filter(({ parent }) => parent === String(folder)).map(({ name }) => name),
      Array.from({ length: FOLDERS }, (_, n) => `Folder ${FOLDERS - n}`),
    )
    await choose(page, 'What happened', 'File uploaded')
    await expect.poll(() => items(page).filter({ hasText: 'Folder made' }).count()).toBe(0)
    assert.deepEqual(
      (await csv(page)).map(({ media_id: id, name }) => [Number(id), name]),
      [
        [gone, ''],
        [kept, 'kept.jpg'],
        [thrown, 'thrown.jpg'],
      ],
    )
    await choose(page, 'What happened', 'Folder made')
    assert.equal(made.find(({ folder_id: id }) => id === String(folder))?.name, `'@Press, "spring"`)

    await choose(page, 'Person', '=1+cmd')
    await expect.poll(() => items(page).count()).toBe(1)
    assert.match(await items(page).innerText(), /=1\+cmd.*Folder made.*Own/s)
    assert.equal((await csv(page))[0]?.person, "'=1+cmd")

    await page.getByLabel('To', { exact: true }).fill('2001-02-03')
    await page.getByText('Nothing has happened that the filters ask for.').waitFor()
    assert.deepEqual(await csv(page), [])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => items(page).count()).toBe(50)
    await page.getByLabel('From', { exact: true }).fill('2001-02-03')
    await page.waitForURL('**/console/activity?from=2001-02-03')
    await expect.poll(() => items(page).count()).toBe(50)
    await opened.close()
  })

  test('is used by keyboard alone', async () => {
    const opened = await signedIn(browser, service, { address: '/console/activity' })
    const { page } = opened
    await items(page).first().waitFor()
    await page.getByRole('combobox', { name: 'Person' }).focus()
    await page.keyboard.press('Tab')
    const kind = page.getByRole('combobox', { name: 'What happened' })
    await expect.poll(() => kind.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('Folder made')
    await page.waitForURL('**/console/activity?kind=folder.created')
    assert.ok(await kind.evaluate((field) => field === document.activeElement))
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    for (let presses = 0; presses < 200 && (await focused()) !== 'Show more'; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => items(page).count()).toBeGreaterThan(FOLDERS)
    await opened.close()
  })
})
