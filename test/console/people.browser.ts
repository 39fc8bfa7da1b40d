import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { runJson } from '../infra/admin/run-command.ts'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { until } from '../support/until.ts'
import { openConsole, signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('navigation of the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  await fill(client, service.demo.folder_id, ['one.jpg', 'two.jpg'])
  const accounts = await provisioning(service)
  const reader = await accounts.user()
  accounts.close()

  test('the first tab stop leads to the files, and few are before them', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    await opened.files.first().waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel || document.activeElement?.textContent?.trim())
    const isFile = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'option')
    await page.locator('body').focus()
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to files')
    const stops = [await focused()]
    for (; stops.length < 20; ) {
      await page.keyboard.press('Tab')
      if (await isFile()) break
      stops.push(await focused())
    }
    console.log(`tab stops before the files: ${stops.length}: ${stops.join(', ')}`)
    assert.ok(stops.length <= 14, stops.join())
    await page.getByRole('link', { name: 'Skip to files' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(isFile).toBe(true)

    await opened.goTo('/console/keys')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN')
    await opened.close()
  })

  test('arrow keys go through the places, and Administration stays as it was left', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    const administration = page.getByRole('button', { name: 'Administration' })
    assert.equal(await administration.getAttribute('aria-expanded'), 'false')
    const link = (name: string) => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name, exact: true })
    assert.equal(await link('People').count(), 0)
    await administration.focus()
    await page.keyboard.press('Enter')
    for (const name of ['People', 'Groups', 'Keys', 'Presets', 'Usage', 'Activity', 'Brand']) await link(name).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.reload()
    assert.equal(await link('Activity').getAttribute('aria-current'), 'page')
    assert.equal(await administration.getAttribute('aria-expanded'), 'true')
    await link('All files').focus()
    for (const name of ['Published', 'Shared', 'Trash']) {
      await page.keyboard.press('ArrowDown')
      assert.equal(await link(name).evaluate((element) => element === document.activeElement), true, name)
    }
    await opened.close()
  })

  test('the width of the side is drawn by mouse and keys, within bounds, and kept', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    const separator = page.getByRole('separator')
    const width = async () => Math.round((await page.getByRole('complementary').boundingBox())!.width)
    const before = await width()
    await separator.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(width).toBeGreaterThan(before)
    await page.keyboard.press('End')
    const most = Number(await separator.getAttribute('aria-valuemax'))
    await expect.poll(width).toBe(most)
    const { x, y, width: thick } = (await separator.boundingBox())!
    await page.mouse.move(x + thick / 2, y + 200)
    await page.mouse.down()
    await page.mouse.move(310, y + 250, { steps: 4 })
    await page.mouse.up()
    await expect.poll(width).toBe(310)
    assert.equal(await separator.getAttribute('aria-valuenow'), '310')
    await page.reload()
    await expect.poll(width).toBe(310)
    await opened.close()
  })

  test.each([
    ['a mouse', false, 30],
    ['a finger', true, 44],
  ] as const)('rows of the folders suit %s', async (_, hasTouch, height) => {
    const opened = await signedIn(browser, service, { hasTouch, isMobile: hasTouch, viewport: { width: 1000, height: 800 } })
    await opened.folders.first().waitFor()
    expect((await opened.folders.first().boundingBox())!.height).toBe(height)
    expect((await opened.folders.nth(1).boundingBox())!.y - (await opened.folders.first().boundingBox())!.y).toBe(height)
    await opened.close()
  })

  test('a notice lies above an open dialog, takes clicks there, and is read', async () => {
    const group = await client['create-clique']({ body: { name: 'Desk', svc_id: service.demo.company_id } })
    const opened = await signedIn(browser, service, { address: '/console/groups' })
    const { page } = opened
    await page.getByRole('button', { name: 'Members of Desk' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members of Desk' })
    await page.route('**/clique/*/member/*', (route) => route.fulfill({ status: 500, json: {} }))
    await dialog.getByRole('combobox').fill('Demo')
    await dialog.getByRole('option').first().click()
    const notice = dialog.getByRole('alert').filter({ hasText: 'That did not work' })
    await notice.waitFor()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => notice.count()).toBe(0)

    // One that is told in a dialog goes on in the page.
    await dialog.getByRole('combobox').fill('Demo')
    await dialog.getByRole('option').first().click()
    await notice.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('alert').filter({ hasText: 'That did not work' }).waitFor()
    await client['delete-clique']({ params: { id: group.body.id } })
    await opened.close()
  })

  test('signing out takes what other tabs show, and so does signing in as somebody else', async () => {
    const opened = await signedIn(browser, service)
    const other = await opened.context.newPage()
    await other.goto(`${service.baseUrl}/console/`)
    await other.getByRole('option', { name: 'one.jpg' }).waitFor()
    await opened.page.getByRole('button', { name: 'Account' }).click()
    await opened.page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const page of [opened.page, other]) {
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      assert.equal(await page.getByRole('option').count(), 0)
    }

    await opened.signIn()
    await other.goto(`${service.baseUrl}/console/`)
    await other.getByRole('option', { name: 'one.jpg' }).waitFor()
    await opened.context.clearCookies()
    await opened.goTo('/console/sign-in')
    await opened.signIn(reader)
    await other.getByRole('option', { name: 'one.jpg' }).waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Account' }).waitFor()
    await opened.close()
  })

  test('usage counts what was imported, in a row of its own', async () => {
    const source = await mkdtemp(join(tmpdir(), 'imported-'))
    await writeFile(join(source, 'note.txt'), 'imported')
    await runJson(service.directory!, ['import', source, '--company', String(service.demo.company_id)])
    await rm(source, { recursive: true })
    await until(async () => (await client['get-company-disk-usage']({ params: { id: service.demo.company_id } })).body.files === 3)
    const opened = await signedIn(browser, service)
    const asked: string[] = []
    opened.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await opened.goTo('/console/usage')
    const rows = opened.page.getByRole('row')
    await rows
      .filter({ has: opened.page.getByRole('rowheader', { name: 'Imported' }) })
      .filter({ hasText: '1 file' })
      .waitFor()
    await opened.goTo('/console/')
    await opened.page.getByRole('option', { name: 'note.txt' }).press('Enter')
    await opened.page.getByRole('dialog', { name: 'Details' }).getByText('note.txt').first().waitFor()
    await opened.page.waitForLoadState('networkidle')
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/user/0')),
      [],
    )
    await opened.close()
  })
})

describe('people in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  const hostile = 'Zoë <img src=x onerror=alert(1)> שלום'
  const row = (page: Page, name: string) => page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: name })
  const choose = async (page: Page, name: string, action: string) => {
    await row(page, name).getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  const add = async (page: Page, fields: Record<string, string>) => {
    await page.getByRole('button', { name: 'Add person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add person' })
    for (const [name, value] of Object.entries(fields)) await dialog.getByRole('textbox', { name }).fill(value)
    await dialog.getByRole('button', { name: 'Save' }).click()
    return dialog
  }

  test('adds somebody without an address, who chooses a password, signs in and changes it', async () => {
    const opened = await signedIn(browser, service, { address: '/console/people' })
    const { page } = opened
    const dialog = await add(page, { 'Full name': hostile, Username: 'zoe' })
    const field = dialog.getByRole('textbox', { name: 'Link for choosing a password' })
    await field.waitFor()
    const address = await field.inputValue()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await row(page, 'Zoë <img').filter({ hasText: 'Invited' }).filter({ hasText: 'Member' }).filter({ hasText: 'Never' }).waitFor()

    const visitor = await openConsole(browser, service)
    await visitor.page.goto(address)
    const passwords = visitor.page.locator('input[type=password]')
    for (let n = 0; n < (await passwords.count()); n++) await passwords.nth(n).fill('four words of zoe')
    await visitor.page.getByRole('button').click()
    await visitor.page.waitForLoadState('networkidle')
    await visitor.goTo('/console/')
    await visitor.signIn({ username: 'zoe', password: 'four words of zoe' })
    await visitor.page.getByRole('button', { name: 'Account' }).click()
    await visitor.page.getByRole('menu').getByText('Zoë <img').waitFor()
    await visitor.page.getByRole('menuitem', { name: 'Change password' }).click()
    const change = visitor.page.getByRole('dialog', { name: 'Change password' })
    const save = async (current: string, next: string) => {
      await change.getByRole('textbox', { name: 'Current password' }).fill(current)
      await change.getByRole('textbox', { name: 'New password' }).fill(next)
      await change.getByRole('button', { name: 'Save' }).click()
    }
    await save('wrong words of zoe', 'other words of zoe')
    await change.getByRole('alert').filter({ hasText: 'not your current password' }).waitFor()
    await save('four words of zoe', 'short')
    await change.getByRole('alert').filter({ hasText: 'at least 8 characters' }).waitFor()
    await save('four words of zoe', 'other words of zoe')
    await visitor.page.getByRole('status').filter({ hasText: 'Your password is changed' }).waitFor()
    await visitor.close()
    assert.ok(await service.signIn({ username: 'zoe', password: 'other words of zoe' }))
    await opened.close()
  })

  test('edits, disables, enables, invites and removes, and says in words what is refused', async () => {
    const opened = await signedIn(browser, service, { address: '/console/people' })
    const { page } = opened
    const dialog = await add(page, { 'Full name': 'Anna Berg', Username: 'anna', Email: 'anna@example.com' })
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: 'Anna Berg is added' }).waitFor()
    await add(page, { 'Full name': 'Another', Username: 'anna' })
    await dialog.getByRole('alert').filter({ hasText: 'There is a user of this name already' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await choose(page, 'anna@example.com', 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit person' })
    await edit.getByRole('textbox', { name: 'Full name' }).fill('Anna Lind')
    await edit.getByRole('checkbox', { name: 'Administrator' }).check()
    await edit.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Anna Lind').filter({ hasText: 'Administrator' }).waitFor()
    await choose(page, 'Anna Lind', 'Send invitation')
    await page.getByRole('status').filter({ hasText: 'The invitation of Anna Lind is on its way' }).waitFor()
    await choose(page, 'Anna Lind', 'Disable')
    await row(page, 'Anna Lind').filter({ hasText: 'Disabled' }).waitFor()
    await choose(page, 'Anna Lind', 'Enable')
    await row(page, 'Anna Lind').filter({ hasText: 'Invited' }).waitFor()

    // Anna has no password: the demo's admin is the last one who can sign in.
    await choose(page, 'Demo user', 'Remove')
    await page
      .getByRole('dialog', { name: /^Remove Demo user/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByRole('alert').filter({ hasText: 'last administrator' }).waitFor()

    const group = await client['create-clique']({ body: { name: 'Night desk', svc_id: service.demo.company_id } })
    const { body: people } = await client['list-company-users']({ params: { id: service.demo.company_id } })
    const anna = people.find(({ fullname }) => fullname === 'Anna Lind')!
    await client['add-clique-member']({ params: { id: group.body.id, userId: anna.id } })
    await page.reload()
    await row(page, 'Anna Lind').filter({ hasText: 'Night desk' }).waitFor()
    await choose(page, 'Anna Lind', 'Remove')
    await page
      .getByRole('dialog', { name: /^Remove Anna Lind/ })
      .getByRole('button', { name: 'Cancel' })
      .click()
    assert.equal(await row(page, 'Anna Lind').count(), 1)
    await choose(page, 'Anna Lind', 'Remove')
    await page
      .getByRole('dialog', { name: /^Remove Anna Lind/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect.poll(() => row(page, 'Anna Lind').count()).toBe(0)
    await opened.close()
  })

  test('of thousands shows some, and finds each by name', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    const entries = Array.from({ length: 5_000 }, (_, n) => ({
      ...{ id: 1_000_000 + n, fullname: `Person ${n}`, href: `${service.baseUrl}/user/${1_000_000 + n}`, username: `p${n}`, email: null },
      ...{ admin: false, disabled: false, last_seen: null, by_provider: false, invited: false },
    }))
    await page.route('**/company/*/users?details=*', (route) => route.fulfill({ json: entries }))
    await page.addInitScript(() => {
      const { fetch } = window
      window.fetch = async (...given) => {
        const response = await fetch(...given)
        if (String(given[0] instanceof Request ? given[0].url : given[0]).includes('/users?details')) performance.mark('answered')
        return response
      }
      new MutationObserver(() => {
        if (document.querySelector('tbody tr') && !performance.getEntriesByName('shown').length)
          requestAnimationFrame(() => setTimeout(() => performance.mark('shown')))
      }).observe(document, { childList: true, subtree: true })
    })
    await opened.goTo('/console/people')
    await page.getByText('5,000 people').waitFor()
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName('shown').length)).toBeGreaterThan(0)
    const took = await page.evaluate(() => performance.measure('showing', 'answered', 'shown').duration)
    console.log(`page of 5,000 people: ${Math.round(took)} ms after the answer`)
    assert.equal(await page.getByRole('table', { name: 'People' }).getByRole('row').count(), 101)
    await page.getByRole('searchbox', { name: 'Search people' }).fill('person 4321')
    await row(page, 'Person 4321').waitFor()
    await page.getByText('1 person', { exact: true }).waitFor()
    await opened.close()
  })

  test('who forgot their password is told the same, known or not', async () => {
    const opened = await openConsole(browser, service)
    const { page } = opened
    for (const username of [service.demo.username, 'nobody at all']) {
      await opened.goTo('/console/trash')
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.getByRole('textbox', { name: 'Username' }).fill(username)
      await page.getByRole('button', { name: 'Send mail' }).click()
      await page.getByRole('status').filter({ hasText: 'If there is such an account' }).waitFor()
    }
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await opened.signIn()
    await expect.poll(() => page.url()).toBe(`${service.baseUrl}/console/trash`)
    await opened.close()
  })

  test('the account menu opens the shortcuts and what is new', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    for (const name of ['Keyboard shortcuts', 'What is new']) {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menu').getByText('Demo user').waitFor()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('dialog', { name }).getByRole('button', { name: 'Close' }).click()
    }
    await opened.close()
  })
})

describe('first steps in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = await provisioning(service)
  const reader = await accounts.user()
  accounts.close()

  test('admins are led to upload, invite and share until they have, or hide it', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    const region = page.getByRole('region', { name: 'Get started' })
    const steps = region.getByRole('listitem')
    await expect.poll(() => steps.count()).toBe(3)
    // There are two people already.
    await steps.nth(1).getByText('done').waitFor({ state: 'attached' })
    assert.equal(await steps.nth(0).getByText('done').count(), 0)
    await fill(client, service.demo.folder_id, ['first.jpg'])
    await page.reload()
    await steps.nth(0).getByText('done').waitFor({ state: 'attached' })
    await newFolder('For all')
    await steps.nth(2).getByRole('button').click()
    await page.getByRole('dialog').getByRole('treeitem', { name: 'For all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Share For all by link' })
    await dialog.getByRole('button', { name: 'Make link' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await region.waitFor({ state: 'detached' })
    await page.reload()
    await opened.files.first().waitFor()
    assert.equal(await region.count(), 0)
    await opened.close()
  })

  test('Hide is kept for the one who hid it, and no others than admins see it', async () => {
    for (const share of (await client['list-shares']({})).body.shares) await client['delete-share']({ params: { shareId: share.id } })
    const opened = await signedIn(browser, service)
    const { page } = opened
    const region = page.getByRole('region', { name: 'Get started' })
    await region.getByRole('button', { name: 'Hide' }).click()
    await region.waitFor({ state: 'detached' })
    await page.reload()
    await opened.status.waitFor()
    assert.equal(await region.count(), 0)
    await opened.close()
    const other = await signedIn(browser, service, { credentials: reader })
    await other.status.waitFor()
    assert.equal(await other.page.getByRole('region', { name: 'Get started' }).count(), 0)
    await other.close()
  })
})
