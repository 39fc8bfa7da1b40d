import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runJson } from '../infra/admin/run-command.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('navigation of the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  await fill(client, service.demo.folder_id, ['one.jpg', 'two.jpg'])

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
    assert.ok(stops.length <= 13, stops.join())
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
    for (const name of ['People', 'Groups', 'Keys', 'Usage', 'Activity', 'Brand']) await link(name).waitFor()
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
    // Nothing is held that Back would show.
    await other.goBack()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await other.getByText('one.jpg').count(), 0)
    await opened.close()
  })

  test('usage counts what was imported, in a row of its own', async () => {
    const source = await mkdtemp(join(tmpdir(), 'imported-'))
    await writeFile(join(source, 'note.txt'), 'imported')
    await runJson(service.directory!, ['import', source, '--company', String(service.demo.company_id)])
    await rm(source, { recursive: true })
    const opened = await signedIn(browser, service)
    const asked: string[] = []
    opened.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await opened.goTo('/console/usage')
    const rows = opened.page.getByRole('row')
    await rows
      .filter({ has: opened.page.getByRole('rowheader', { name: 'Imported' }) })
      .filter({ hasText: '1 file' })
      .waitFor()
    const { body } = await client['search-media']({ query: { q: 'note' } })
    await opened.goTo(`/console/file/${body.response.media[0]?.unique_media_id}`)
    await opened.page.getByRole('dialog', { name: 'Details' }).getByText('note.txt').first().waitFor()
    await opened.page.waitForLoadState('networkidle')
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/user/0')),
      [],
    )
    await opened.close()
  })
})
