import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

/** A keyword that would be markup where somebody put it into the page as such, and long. */
const HOSTILE = `harbour <img src=x onerror="document.title=1"> ${'x'.repeat(30)}`

describe('searching in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const { folder_id: folder } = service.demo
  const harbour = await newFolder('Harbour 2026')
  const ids = await fill(client, folder, ['one.jpg', 'two.jpg', 'three.jpg'])
  await fill(client, harbour, ['tall.jpg'], { width: 200, height: 300 })
  const put = (id: number, body: object) => client['replace-metadata']({ params: { id }, body })
  await put(ids[0]!, { title: { en: 'Harbour at dawn' }, keywords: { en: ['harbour', 'boats', HOSTILE] }, byline: 'Zoë' })
  await put(ids[1]!, { title: { en: 'Harvest' }, keywords: { en: ['harvest moon'] }, byline: 'Ada' })
  await client['set-expiration-date']({ params: { id: ids[1]! }, body: { expiration_date: '2020-01-01' } } as never)

  test('suggestions come while typing, by keys and by a press: words search, folders are opened', async () => {
    const opened = await signedIn(browser, service)
    const { page, status } = opened
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await search.pressSequentially('harb')
    await list.getByRole('option', { name: 'harbour', exact: true }).waitFor()
    await list.getByRole('option', { name: 'Harbour 2026', exact: true }).waitFor()
    await list.getByRole('option', { name: HOSTILE, exact: true }).waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assert.deepEqual((await new AxeBuilder({ page }).analyze()).violations, [])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    assert.equal(await search.inputValue(), 'harb')
    await page.keyboard.press('ArrowDown')
    await list.getByRole('option', { name: 'Harbour 2026', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    assert.equal(
      await list
        .getByRole('option', { selected: true })
        .textContent()
        .then((name) => name?.trim()),
      'Harbour 2026',
    )
    assert.equal(await search.getAttribute('aria-activedescendant'), await list.getByRole('option', { selected: true }).getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/console/folder/${harbour}$`))
    await list.waitFor({ state: 'detached' })

    await search.fill('harv')
    await list.getByRole('option', { name: 'harvest moon' }).click()
    await page.waitForURL(/\/console\/search\?q=harvest\+moon$/)
    await expect.poll(() => status.textContent()).toBe('1 file')
    // What is typed is searched as ever.
    await search.fill('harb')
    await list.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/search\?q=harb$/)
    await list.waitFor({ state: 'detached' })
    await opened.close()
  })

  test('what was searched for is offered again, also after a reload, and no longer after sign-out', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    const recent = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('group', { name: 'Recent searches' })
    for (const words of ['first words', 'second words']) {
      await search.fill(words)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/search?q=${words.replace(' ', '+')}`)
    }
    await page.reload()
    await search.fill('')
    await expect
      .poll(async () => (await recent.getByRole('option').allTextContents()).map((name) => name.trim()))
      .toEqual(['second words', 'first words'])
    await search.pressSequentially('fir')
    await expect.poll(() => recent.getByRole('option').count()).toBe(1)
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /words/)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'Username' }).waitFor()
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])), /words/)
    await opened.signIn()
    await search.pressSequentially('sec')
    await page.waitForResponse(/\/search\/suggest/)
    assert.equal(await recent.count(), 0)
    await opened.close()
  })

  test('where nothing is found, it is offered to clear the filters, and what was meant', async () => {
    const opened = await signedIn(browser, service, { address: '/console/search?q=harbuor&orientation=vertical' })
    const { page, status } = opened
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Did you mean harbour?', exact: true }).waitFor()
    assert.deepEqual((await new AxeBuilder({ page }).analyze()).violations, [])
    await page.getByRole('button', { name: 'Clear filters', exact: true }).click()
    await page.waitForURL(/\/console\/search\?q=harbuor$/)
    await page.getByRole('button', { name: 'Did you mean harbour?', exact: true }).click()
    await page.waitForURL(/\/console\/search\?q=harbour$/)
    await expect.poll(() => status.textContent()).toBe('1 file')
    await opened.goTo('/console/search?q=qqqqqqqqq')
    await page.getByText('Nothing found').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /Did you mean/ }).count(), 0)
    await opened.close()
  })

  test('on wide screens the filters stand beside the list and count at once, until somebody hides them', async () => {
    const opened = await signedIn(browser, service, { viewport: { width: 1600, height: 900 }, address: '/console/search?q=jpg' })
    const { page, status } = opened
    const filters = page.getByRole('region', { name: 'Filters' })
    await expect.poll(() => status.textContent()).toBe('4 files')
    assert.equal(await filters.getByRole('button', { name: 'Apply' }).count(), 0)
    await filters.getByRole('combobox', { name: 'Orientation' }).selectOption({ label: 'Portrait' })
    await expect.poll(() => status.textContent()).toBe('1 file')
    await page.getByRole('button', { name: 'Portrait', exact: true }).click()
    await expect.poll(() => filters.getByRole('combobox', { name: 'Orientation' }).inputValue()).toBe('')
    await filters.getByRole('checkbox', { name: 'Expired' }).check()
    await expect.poll(() => status.textContent()).toBe('1 file')
    await filters.getByRole('checkbox', { name: 'Expired' }).uncheck()
    const tags = filters.getByRole('textbox', { name: 'Tags' })
    await tags.pressSequentially('boats, ')
    await expect.poll(() => status.textContent()).toBe('1 file')
    assert.equal(await tags.inputValue(), 'boats, ')
    assert.ok(await tags.evaluate((field) => field === document.activeElement))
    assert.deepEqual((await new AxeBuilder({ page }).analyze()).violations, [])
    const button = page.getByRole('button', { name: 'Filters', exact: true })
    assert.equal(await button.getAttribute('aria-expanded'), 'true')
    await filters.getByRole('button', { name: 'Hide filters' }).click()
    await filters.waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => status.textContent()).toBe('1 file')
    assert.equal(await filters.count(), 0)
    await button.click()
    await filters.waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await filters.waitFor({ state: 'detached' })
    await button.click()
    await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Apply' }).waitFor()
    await opened.close()
  })

  test('on a phone the dialog has one day beside no other, and finds what has expired', async () => {
    const opened = await signedIn(browser, service, { viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page, status } = opened
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Filters' })
    const box = async (name: string) => (await dialog.getByLabel(name, { exact: true }).boundingBox())!
    const [from, to, whole] = [await box('From'), await box('To'), (await dialog.boundingBox())!]
    assert.ok(from.y + from.height <= to.y || from.x + from.width <= to.x, JSON.stringify([from, to]))
    for (const { x, width } of [from, to]) assert.ok(x >= whole.x && x + width <= whole.x + whole.width)
    await dialog.getByRole('checkbox', { name: 'Expired' }).check()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => status.textContent()).toBe('1 file')
    await page.getByRole('button', { name: 'Expired', exact: true }).click()
    await expect.poll(() => status.textContent()).toBe('4 files')
    await opened.close()
  })

  test('orders are chosen, and one that is not known is told in plain words', async () => {
    const opened = await signedIn(browser, service, { address: '/console/search?q=jpg&order=colour&direction=up' })
    const { page, status } = opened
    await page.getByRole('alert').filter({ hasText: 'There is no order “colour up”.' }).waitFor()
    await expect.poll(() => status.textContent()).toBe('4 files')
    const order = page.getByRole('combobox', { name: 'Order' })
    await order.selectOption({ label: 'Byline A–Z' })
    await page.waitForURL(/order=byline$/)
    await expect.poll(async () => (await opened.names())[0]).toMatch(/^Harvest/)
    assert.equal(await page.getByRole('alert').filter({ hasText: 'order' }).count(), 0)
    for (const label of ['Kind A–Z', 'Expires first', 'Folder A–Z']) await order.selectOption({ label })
    await page.waitForURL(/order=folder$/)
    await opened.goTo('/console/?order=byline&direction=desc')
    await expect.poll(() => order.locator('option:checked').textContent()).toBe('Byline Z–A')
    await opened.close()
  })

  test('the key / leads to the search from lists to choose from and boxes to tick, and is a letter in fields', async () => {
    const opened = await signedIn(browser, service, { viewport: { width: 1600, height: 900 }, address: '/console/search?q=jpg' })
    const { page } = opened
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    const hasFocus = () => search.evaluate((field) => field === document.activeElement)
    for (const field of [page.getByRole('combobox', { name: 'Order' }), page.getByRole('checkbox', { name: 'Expired' })]) {
      await field.focus()
      await page.keyboard.press('/')
      assert.equal(await hasFocus(), true)
      assert.equal(await search.inputValue(), 'jpg')
    }
    const tags = page.getByRole('textbox', { name: 'Tags' })
    await tags.focus()
    await page.keyboard.press('/')
    assert.deepEqual([await hasFocus(), await tags.inputValue()], [false, '/'])
    await opened.close()
  })
})
