import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { openConsole, signedIn } from './console-page.ts'

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 8"><rect width="24" height="8" fill="#c02020"/></svg>'
const hostile = `<img src=x onerror="document.title='hacked'"> \u05e9\u05dc\u05d5\u05dd \u{1f3a8} ${'W'.repeat(200)}`

describe('the brand in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const params = { id: service.demo.company_id }
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])
  const accentOf = (page: Page) => page.evaluate(() => getComputedStyle(document.querySelector('button.primary')!).backgroundColor)
  const isNarrow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

  test('is chosen by an admin; an accent that is hard to read is refused with the nearest', async () => {
    const opened = await signedIn(browser, service, { address: '/console/brand' })
    const { page } = opened
    await page.getByRole('heading', { name: 'Brand', exact: true }).waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByRole('textbox', { name: 'Name' }).fill('Harbour Press')
    await page.getByRole('textbox', { name: 'Accent' }).fill('#ffee00')
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'The nearest colour that can be read is #' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: /^Use #/ }).click()
    await expect.poll(async () => (await client['get-company-brand']({ params })).body.name).toBe('Harbour Press')
    await page.getByRole('textbox', { name: 'Accent' }).fill('#8a1c3b')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Logo', exact: true }).click()
    await (await chooser).setFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
    await page.getByRole('region', { name: 'Preview' }).locator('img').first().waitFor()
    await save.click()
    await expect.poll(async () => (await client['get-company-brand']({ params })).body.logo).not.toBe(null)
    const { body } = await client['get-company-brand']({ params })
    assert.deepEqual([body.name, body.accent], ['Harbour Press', '#8a1c3b'])
    await expect.poll(() => accentOf(page)).toBe('rgb(138, 28, 59)')
    await expect.poll(() => page.title()).toBe('Brand · Harbour Press')
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Harbour Press')
    await page.locator('header').getByText('Harbour Press').waitFor()
    await opened.close()
  })

  test('is refused to others, whose console shows it all the same', async () => {
    const accounts = await provisioning(service)
    const member = await accounts.user()
    accounts.close()
    const opened = await signedIn(browser, service, { address: '/console/brand', credentials: member })
    await opened.page.getByText('This page is for admins').waitFor()
    await opened.page.locator('header').getByText('Harbour Press').waitFor()
    await opened.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      test(`is on sign-in, page and behind a link, ${colorScheme}, ${width} pixels wide: whatever the name, nothing breaks`, async () => {
        await client['change-brand']({ params, body: { name: hostile, accent: '#1a4fd0' } })
        const options = { colorScheme, viewport: { width, height: 844 } }
        const visitor = await openConsole(browser, service, options)
        const { page } = visitor
        await visitor.goTo('/console/sign-in')
        await page.getByRole('heading', { name: hostile }).waitFor()
        await page.locator('h1 img').waitFor()
        assert.equal(await page.title(), `Sign in · ${hostile}`)
        assert.deepEqual([await violations(page), await isNarrow(page)], [[], true])
        const { url } = (await client['create-share']({ body: { folder_id: await newFolder('Press kit'), title: 'For you' } })).body
        await visitor.goTo(new URL(url!).pathname)
        await page.getByRole('heading', { name: 'For you' }).waitFor()
        await page.getByText(hostile).waitFor()
        assert.deepEqual([await violations(page), await isNarrow(page)], [[], true])
        await visitor.close()
        const opened = await signedIn(browser, service, { address: '/console/brand', ...options })
        await opened.page.getByRole('heading', { name: 'Brand', exact: true }).waitFor()
        await expect.poll(() => opened.page.getByRole('textbox', { name: 'Accent' }).inputValue()).toBe('#1a4fd0')
        assert.deepEqual([await violations(opened.page), await isNarrow(opened.page)], [[], true])
        await opened.close()
      })
    }
  }
})
