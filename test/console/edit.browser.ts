import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('editing a file in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = withBrowser.skip ? undefined : await provisioning(service)
  afterAll(() => accounts?.close())

  let folder: number
  /** As the list shows them: newest first. */
  let ids: number[]
  beforeEach(async ({ task }) => {
    folder = await newFolder(`Film ${task.id}`)
    ids = (await fill(client, folder, ['one.jpg', 'two.jpg', 'three.jpg'])).reverse()
  })

  const document = async (id: number) => (await client['get-media']({ params: { id } })).body
  const version = async (id: number) => (await client['get-version']({ params: { id } })).body.version
  const detailsOf = (page: Page) => page.getByRole('dialog', { name: 'Details' })
  const title = (details: Locator) => details.getByRole('textbox', { name: 'Title' })
  const save = (details: Locator) => details.getByRole('button', { name: 'Save', exact: true })
  const question = (page: Page) => page.getByRole('dialog', { name: 'Unsaved changes' })
  const focused = (page: Page) => page.evaluate(() => window.document.activeElement?.closest('label')?.textContent?.trim())

  /** The details of the first file of the list, opened from there. */
  async function opened(options: Parameters<typeof signedIn>[2] = {}): Promise<ConsolePage & { details: Locator }> {
    const console = await signedIn(browser, service, { address: `/console/folder/${folder}`, ...options })
    await console.files.first().dblclick()
    const details = detailsOf(console.page)
    await title(details).waitFor()
    return { ...console, details }
  }

  test('Save and next goes from caption to caption: the focus stays in its field, in its language', async () => {
    const { page, details, close } = await opened()
    await details.getByRole('tab', { name: 'Dansk' }).click()
    await details.getByText('Only English is searched').waitFor()
    await details.getByRole('textbox', { name: 'Description' }).fill('Første')
    await details.getByRole('button', { name: 'Save and next' }).click()
    await page.waitForURL(`**/file/${ids[1]}`)
    await expect.poll(() => focused(page)).toBe('Description')
    await page.keyboard.type('Anden')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**/file/${ids[2]}`)
    await expect.poll(() => focused(page)).toBe('Description')
    await page.keyboard.type('Tredje')
    assert.equal(await details.getByRole('button', { name: 'Save and next' }).count(), 0)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => Promise.all(ids.map(async (id) => (await document(id)).metadata.description)))
      .toEqual([{ da: 'Første' }, { da: 'Anden' }, { da: 'Tredje' }])
    assert.match(page.url(), new RegExp(`/file/${ids[2]}$`))
    await close()
  })

  test('after Save by mouse the focus is where it was, and keys work', async () => {
    const { page, details, close } = await opened()
    await title(details).fill('The harbour')
    await save(details).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    assert.equal(await focused(page), 'Title')
    await details.getByRole('button', { name: 'Next', exact: true }).click()
    await page.waitForURL(`**/file/${ids[1]}`)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(`**/file/${ids[2]}`)
    // The button is without use for the last file.
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(`**/file/${ids[1]}`)
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await close()
  })

  test('whatever would leave asks first, and goes on when it may', async () => {
    const { page, details, close } = await opened()
    const ways: Record<string, () => Promise<unknown>> = {
      Back: () => page.evaluate(() => history.back()),
      Close: () => details.getByRole('button', { name: 'Close' }).click(),
      Escape: () => page.keyboard.press('Escape'),
      Next: () => details.getByRole('button', { name: 'Next', exact: true }).click(),
      Trash: () => details.getByRole('button', { name: 'Trash' }).click(),
      folder: () => details.getByRole('region', { name: 'Facts' }).getByRole('link').first().click(),
    }
    await title(details).fill('Mine')
    for (const [name, leave] of Object.entries(ways)) {
      await leave()
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await question(page).waitFor({ state: 'detached' })
      assert.match(page.url(), new RegExp(`/file/${ids[0]}$`), name)
      assert.equal(await title(details).inputValue(), 'Mine', name)
    }
    assert.equal((await document(ids[0]!)).metadata.title.en, undefined)

    await ways.Back!()
    await question(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(`**/folder/${folder}`)
    assert.deepEqual((await document(ids[0]!)).metadata.title, { en: 'Mine' })

    await page.evaluate(() => history.forward())
    await title(details).fill('Not this')
    await ways.folder!()
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(`**/folder/${folder}`)
    await details.waitFor({ state: 'detached' })
    assert.deepEqual((await document(ids[0]!)).metadata.title, { en: 'Mine' })
    await close()
  })

  test('a keyword that is being typed counts as a change, and closing the tab asks', async () => {
    const { page, details, close } = await opened()
    await details.getByRole('combobox', { name: 'Keywords' }).pressSequentially('boat')
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => undefined)
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await save(details).click()
    await expect.poll(async () => (await document(ids[0]!)).metadata.keywords).toEqual({ en: ['boat'] })
    await close()
  })

  test('a session that ended is begun again over the page, and what was pressed goes on', async () => {
    const { page, details, context, close } = await opened()
    await title(details).fill('Typed')
    await context.clearCookies()
    const before = await version(ids[0]!)
    await save(details).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByRole('textbox', { name: 'Password' }).fill('not it')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => again.getByRole('alert').textContent()).toBe('The password is wrong.')
    await again.getByRole('textbox', { name: 'Password' }).fill(service.demo.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => version(ids[0]!)).toBe(before + 1)
    assert.deepEqual((await document(ids[0]!)).metadata.title, { en: 'Typed' })
    assert.equal(await title(details).inputValue(), 'Typed')
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    await close()
  })

  test('only what both changed asks, field by field, and says who and when; the rest is put together', async () => {
    const { page, details, close } = await opened()
    const id = ids[0]!
    await title(details).fill('Mine')
    await details.getByRole('textbox', { name: 'Byline' }).fill('Mine, too')
    await details.getByRole('textbox', { name: 'Copyright' }).fill('Mine alone')
    const body = { title: { en: 'Theirs' }, byline: 'Theirs, too', description: { da: 'Kun deres' } }
    await client['replace-metadata']({ params: { id }, body })
    await save(details).click()
    const groups = details.getByRole('alert').getByRole('group')
    await expect.poll(() => groups.count()).toBe(2)
    await expect.poll(() => groups.first().textContent()).toMatch(/Theirs: Theirs/)
    await expect.poll(() => groups.first().textContent(), { timeout: 10_000 }).toMatch(/\d{4}, \d\d:\d\d/)
    assert.deepEqual((await document(id)).metadata.title, { en: 'Theirs' })
    await details.getByRole('group', { name: 'Title' }).getByRole('button', { name: 'Keep mine' }).click()
    await details.getByRole('group', { name: 'Byline' }).getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    const { metadata, byline, copyright } = await document(id)
    assert.deepEqual(
      [metadata.title, metadata.description, byline, copyright],
      [{ en: 'Mine' }, { da: 'Kun deres' }, 'Theirs, too', 'Mine alone'],
    )
    assert.equal(await groups.count(), 0)
    await close()
  })

  test('what somebody else changed elsewhere in the file is kept without a question', async () => {
    const { page, details, close } = await opened()
    const id = ids[0]!
    await details.getByRole('checkbox', { name: 'Editorial use only' }).check()
    await client['set-description']({ params: { id }, body: { en: 'Theirs' } as never })
    await save(details).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    assert.equal(await details.getByRole('button', { name: 'Keep mine' }).count(), 0)
    const { metadata } = await document(id)
    assert.deepEqual([metadata.editorial, metadata.adult_content, metadata.description], [true, false, { en: 'Theirs' }])
    await close()
  })

  test('a title in another language alone is shown: in the list, in the heading, and in its field', async () => {
    await client['set-title']({ params: { id: ids[0]! }, body: { da: 'Havnen', sv: 'Hamnen' } as never })
    await client['set-title']({ params: { id: ids[1]! }, body: { en: 'Dawn', da: 'Daggry' } as never })
    const console = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    await expect.poll(() => console.names()).toEqual(['Havnen', 'Dawn', 'one.jpg'])
    await console.files.first().dblclick()
    const details = detailsOf(console.page)
    await expect.poll(() => title(details).inputValue()).toBe('Havnen')
    await expect.poll(() => details.getByRole('tab', { selected: true }).textContent()).toBe('Dansk')
    await details.getByRole('tab', { name: 'Svenska' }).click()
    assert.equal(await title(details).inputValue(), 'Hamnen')
    await console.page.keyboard.press('Escape')
    await console.page.getByRole('button', { name: 'Account' }).click()
    await console.page.getByRole('menuitem', { name: 'Dansk' }).click()
    await console.page.getByRole('listbox', { name: 'Filer' }).getByRole('option', { name: 'Daggry' }).waitFor()
    await console.close()
  })

  test('who may not change a file reads it as text, and is told what is missing', async () => {
    const { userId, ...credentials } = await accounts!.user()
    await accounts!.grant(folder, userId, ['READ'])
    await client['replace-metadata']({
      params: { id: ids[0]! },
      body: { title: { en: 'The harbour' }, byline: 'Anna Berg', editorial: true, expiration_date: '2020-05-06' },
    })
    const console = await signedIn(browser, service, { address: `/console/file/${ids[0]}`, credentials })
    const details = detailsOf(console.page)
    await details.getByText('Anna Berg').waitFor()
    await details.getByText('Editorial use only').waitFor()
    await details.getByText(/6 May 2020.*Expired/).waitFor()
    await details.getByText(/^You need .* on Film/).waitFor()
    assert.equal(await details.getByRole('textbox').count(), 0)
    assert.equal(await save(details).count(), 0)
    await console.close()
  })

  test('says when a file expires, and keeps flags of its use', async () => {
    const { page, details, close } = await opened()
    await details.getByRole('textbox', { name: 'Expiration date' }).fill('2020-05-06')
    await details.getByText('Expired', { exact: true }).waitFor()
    const soon = new Date(Date.now() + 10 * 86_400_000)
    await details.getByRole('textbox', { name: 'Expiration date' }).fill(soon.toISOString().slice(0, 10))
    await details.getByText(`Expires ${soon.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })}`).waitFor()
    await details.getByRole('checkbox', { name: 'Adult content' }).check()
    await save(details).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    assert.equal((await document(ids[0]!)).metadata.adult_content, true)
    await close()
  })

  test('changes of many files ask before they are dropped, too', async () => {
    const console = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const { page } = console
    await console.files.first().click()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 1 file' })
    await dialog.getByRole('textbox', { name: 'Copyright' }).fill('Example Ltd')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await dialog.getByRole('textbox', { name: 'Copyright' }).inputValue(), 'Example Ltd')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await document(ids[0]!)).copyright, null)
    await console.close()
  })
})
