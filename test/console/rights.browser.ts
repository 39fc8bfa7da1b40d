import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' })
const offered = async (page: Page) =>
  (
    await toolbar(page)
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? button.textContent))
  ).map((name) => name.trim())
const menu = (page: Page) => page.getByRole('menu', { name: 'Actions' }).getByRole('menuitem').allTextContents()

describe('rights in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = await provisioning(service)
  afterAll(() => accounts.close())

  const press = await newFolder('Press')
  const film = await newFolder('Film', press)
  const own = await newFolder('Own', press)
  const filmed = await fill(client, film, ['f1.jpg', 'f2.jpg'])
  const owned = await fill(client, own, ['o1.jpg', 'o2.jpg', 'o3.jpg'])
  const reader = await accounts.user()
  const editor = await accounts.user()
  const sender = await accounts.user()
  const outsider = await accounts.user()
  await accounts.grant(press, reader.userId, ['READ'])
  await accounts.grant(press, editor.userId, ['READ'])
  await accounts.grant(own, editor.userId, ['READ', 'WRITE'])
  await accounts.grant(film, sender.userId, ['READ', 'UPLOAD'])

  const open = (address: string, credentials?: { username: string; password: string }): Promise<ConsolePage> =>
    signedIn(browser, service, { address, ...(credentials && { credentials }) })
  const actionsOf = async (opened: ConsolePage, name: string) => {
    await opened.folders.filter({ hasText: name }).first().click({ button: 'right' })
    await opened.page.getByRole('menuitem').first().waitFor()
    const items = await menu(opened.page)
    await opened.page.keyboard.press('Escape')
    return items.map((item) => item.trim())
  }
  const foldersOf = async (id: number) => (await client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id)

  test('an admin is offered everything', async () => {
    const opened = await open(`/console/folder/${film}`)
    const { page } = opened
    await opened.files.first().click()
    await expect
      .poll(() => offered(page))
      .toEqual(['Clear', 'Select all', 'Edit', 'Download', 'Download as', 'Move', 'Copy', 'Publish', 'Share', 'Trash'])
    await page.getByRole('button', { name: 'New folder' }).waitFor()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    assert.deepEqual(await actionsOf(opened, 'Film'), ['Rename', 'Move', 'Share', 'Tags', 'Zip', 'Trash'])
    await opened.close()
  })

  test('who may only read is offered what that allows, and told what is missing and where', async () => {
    const opened = await open(`/console/folder/${film}`, reader)
    const { page } = opened
    await expect.poll(() => opened.files.count()).toBe(2)
    await opened.files.first().click()
    await toolbar(page).getByRole('button', { name: 'Share' }).waitFor()
    assert.deepEqual(await offered(page), ['Clear', 'Select all', 'Download', 'Download as', 'Copy', 'Share'])
    await page.keyboard.press('Control+a')
    await toolbar(page).getByText('2 selected').waitFor()
    assert.deepEqual(await offered(page), ['Clear', 'Select all', 'Download', 'Download as', 'Copy', 'Share'])
    assert.equal(await page.getByRole('button', { name: 'New folder' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0)
    assert.deepEqual(await actionsOf(opened, 'Film'), ['Share', 'Zip'])

    await opened.files.first().focus()
    await page.keyboard.press('Delete')
    const refusal = page.getByRole('alert').filter({ hasText: /^You need Can add and change on Film/ })
    await refusal.waitFor()
    assert.deepEqual(await Promise.all(filmed.map(foldersOf)), [[film], [film]])
    await opened.folders.filter({ hasText: 'Film' }).focus()
    await page.keyboard.press('F2')
    await page
      .getByRole('alert')
      .filter({ hasText: /^You need Can manage on Film/ })
      .waitFor()
    await opened.goTo('/console/')
    await expect.poll(() => opened.files.count()).toBe(5)
    assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0)
    // Everybody may have folders of their own at the top.
    await page.getByRole('button', { name: 'New folder' }).waitFor()
    await opened.close()
  })

  test('what some files allow says for how many, and does it with those alone', async () => {
    const opened = await open('/console/', editor)
    const { page } = opened
    await expect.poll(() => opened.files.count()).toBe(5)
    for (const select of ['Control+a', 'range'] as const) {
      await opened.files.first().click()
      if (select === 'range') await opened.files.last().click({ modifiers: ['Shift'] })
      else await page.keyboard.press(select)
      await toolbar(page).getByText('5 selected').waitFor()
      await expect.poll(() => offered(page)).toContain('Edit 3 of 5')
      const names = await offered(page)
      for (const name of ['Move 3 of 5', 'Trash 3 of 5', 'Download', 'Copy', 'Share']) assert.ok(names.includes(name), name)
      assert.ok(!names.some((name) => name.startsWith('Publish')), 'there is no folder in which they may publish')
    }
    await toolbar(page).getByRole('button', { name: 'Edit 3 of 5' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 3 files' })
    await dialog.getByRole('textbox', { name: 'Byline' }).fill('Anna')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').filter({ hasText: '3 files changed' }).waitFor()
    const bylines = async (unique_media_id: readonly number[]) => {
      const query = { unique_media_id, return_values: ['byline'] as const }
      return (await client['search-media']({ query: query as never })).body.response.media.map(({ byline }) => byline)
    }
    assert.deepEqual(await bylines(owned), ['Anna', 'Anna', 'Anna'])
    assert.deepEqual(await bylines(filmed), [null, null])

    await opened.goTo(`/console/folder/${own}`)
    await opened.files.first().click()
    await expect.poll(() => offered(page)).toContain('Edit')
    assert.ok(!(await offered(page)).includes('Edit 1 of 1'))
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New folder' }).count(), 0)
    assert.deepEqual(await actionsOf(opened, 'Own'), ['Share', 'Zip'])
    await opened.close()
  })

  test('a folder that takes nothing is not offered as a place, and says what is missing', async () => {
    const opened = await open(`/console/folder/${own}`, editor)
    const { page } = opened
    await opened.files.first().click()
    await toolbar(page).getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move 1 file' })
    await dialog.getByRole('treeitem', { name: 'Film' }).click()
    await dialog.getByText(/^You need Can add and change on Film$/).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Move' }).isEnabled(), false)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await opened.files.first().dragTo(opened.folders.filter({ hasText: 'Film' }))
    await page
      .getByRole('alert')
      .filter({ hasText: /^You need Can add and change on Film/ })
      .waitFor()
    await opened.goTo('/console/')
    await expect.poll(() => opened.files.count()).toBe(5)
    await opened.folders.filter({ hasText: 'Press' }).press('ArrowRight')
    await opened.files.filter({ hasText: 'f1' }).dragTo(opened.folders.filter({ hasText: 'Own' }))
    await page
      .getByRole('alert')
      .filter({ hasText: /^You need Can add and change on Film/ })
      .waitFor()
    assert.deepEqual(await Promise.all([...filmed, ...owned].map(foldersOf)), [[film], [film], [own], [own], [own]])
    await opened.close()
  })

  test('who may only send files is offered that; outsiders are offered what is theirs', async () => {
    const opened = await open(`/console/folder/${film}`, sender)
    const { page } = opened
    await opened.files.first().click()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    await toolbar(page).getByRole('button', { name: 'Share' }).waitFor()
    assert.deepEqual(await offered(page), ['Clear', 'Select all', 'Download', 'Download as', 'Copy', 'Share'])
    await opened.close()

    const other = await open('/console/', outsider)
    await other.page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    await expect.poll(() => other.page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
    await other.page.getByRole('button', { name: 'New folder' }).click()
    await other.page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await other.page.keyboard.press('Enter')
    await other.folders.filter({ hasText: 'Mine' }).click()
    await other.page.getByRole('button', { name: 'Upload' }).waitFor()
    assert.deepEqual(await actionsOf(other, 'Mine'), ['Rename', 'Move', 'Share', 'Tags', 'Zip', 'Trash'])
    await other.close()
  })

  test('rights that are taken away meanwhile are told by what is missing', async () => {
    const late = await newFolder('Late', press)
    await fill(client, late, ['l.jpg'])
    const leaving = await accounts.user()
    await accounts.grant(late, leaving.userId, ['READ', 'WRITE'])
    const opened = await open(`/console/folder/${late}`, leaving)
    const { page } = opened
    await opened.files.first().click()
    await toolbar(page).getByRole('button', { name: 'Trash' }).waitFor()
    await accounts.grant(late, leaving.userId, ['READ'])
    await toolbar(page).getByRole('button', { name: 'Trash' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /^You need Can add and change on Late/ })
      .waitFor()
    await opened.close()
  })

  test('downloading, sharing and publishing what has expired asks first', async () => {
    const old = await newFolder('Old')
    const ids = await fill(client, old, ['e1.jpg', 'e2.jpg', 'good.jpg'])
    for (const id of ids.slice(0, 2)) await client['set-expiration-date']({ params: { id }, body: { expiration_date: '2020-01-31' } })
    const opened = await open(`/console/folder/${old}`)
    const { page } = opened
    await expect.poll(() => opened.files.count()).toBe(3)
    const select = async (name: RegExp) => opened.files.filter({ hasText: name }).click()
    for (const [name, opens] of [
      ['Share', 'Share 1 file by link'],
      ['Publish', 'Publish 1 file'],
    ] as const) {
      await select(/e1/)
      await toolbar(page).getByRole('button', { name }).click()
      const question = page.getByRole('dialog', { name: '1 file has expired' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      await toolbar(page).getByRole('button', { name }).click()
      await question.getByRole('button', { name }).click()
      await page.getByRole('dialog', { name: opens }).getByRole('button', { name: 'Close' }).click()
      await page.keyboard.press('Escape')
    }
    await opened.files.filter({ hasText: /e1/ }).dblclick()
    const details = page.getByRole('dialog', { name: 'Details' })
    for (const name of ['Download', 'Share', 'Publish']) {
      await details.getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog', { name: '1 file has expired' }).getByRole('button', { name: 'Cancel' }).click()
    }
    await details.getByRole('button', { name: 'Close' }).click()
    await opened.files.first().focus()
    await page.keyboard.press('Control+a')
    const downloads = page.waitForEvent('download')
    await toolbar(page).getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('dialog', { name: '2 files have expired' }).getByRole('button', { name: 'Download' }).click()
    assert.match((await downloads).suggestedFilename(), /\.zip$/)
    await page.keyboard.press('Escape')
    await select(/good/)
    const one = page.waitForEvent('download')
    await toolbar(page).getByRole('button', { name: 'Download', exact: true }).click()
    assert.equal((await one).suggestedFilename(), 'good.jpg')
    await opened.close()
  })

  test('on a phone four actions have words, and More the rest', async () => {
    const opened = await signedIn(browser, service, {
      address: `/console/folder/${own}`,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = opened
    const mark = async () => {
      await opened.files.first().waitFor()
      await opened.files.first().press('Space')
      await toolbar(page).waitFor()
    }
    await mark()
    await expect.poll(() => offered(page)).toEqual(['Clear', 'Select all', 'Edit', 'Download', 'Share', 'Trash', 'More'])
    for (const name of ['Edit', 'Download', 'Share', 'Trash', 'More'])
      assert.equal(await toolbar(page).getByRole('button', { name }).locator('span').first().isVisible(), true, name)
    await toolbar(page).getByRole('button', { name: 'More' }).tap()
    await expect
      .poll(async () => (await page.getByRole('menuitem').allTextContents()).map((item) => item.trim()))
      .toEqual(['Download as', 'Move', 'Copy', 'Publish'])
    await page.getByRole('menuitem', { name: 'Download as' }).tap()
    await page.getByRole('menu', { name: 'Download as' }).getByRole('menuitem', { name: '1600 px' }).waitFor()
    await page.keyboard.press('Escape')
    await toolbar(page).getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Copy' }).tap()
    await page.getByRole('dialog', { name: 'Copy 1 file' }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await opened.close()
  })
})
