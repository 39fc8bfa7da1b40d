import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, withBrowser } from '../support/browser.ts'
import { type Service, startService } from '../support/service.ts'
import { openConsole, signedIn } from './console-page.ts'

describe('signing in to the console', withBrowser, () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  test('every address leads to the sign-in page, and from there to the address that was asked for', async () => {
    const opened = await openConsole(browser, service)
    for (const address of [
      '/console/search?q=harbour&orientation=vertical',
      `/console/folder/${service.demo.folder_id}`,
      '/console/trash',
    ]) {
      await opened.goTo(address)
      await opened.page.waitForURL(/\/console\/sign-in/)
      await opened.signIn()
      await expect.poll(() => opened.page.url()).toBe(service.baseUrl + address)
      await opened.page.getByRole('button', { name: 'Account' }).click()
      await opened.page.getByRole('menuitem', { name: 'Sign out' }).click()
      await opened.page.getByRole('button', { name: 'Sign in' }).waitFor()
    }
    await opened.close()
  })

  test('a wrong password is told, and changes nothing', async () => {
    const opened = await openConsole(browser, service)
    await opened.goTo('/console/')
    await opened.page.getByRole('textbox', { name: 'Username' }).fill(service.demo.username)
    await opened.page.getByRole('textbox', { name: 'Password' }).fill('not it')
    await opened.page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toMatch(/wrong/)
    assert.equal(await opened.page.getByRole('tree').count(), 0)
    await opened.signIn()
    await opened.close()
  })

  test('after signing out Back shows nothing, and a session that ended elsewhere leads to the sign-in page', async () => {
    const opened = await signedIn(browser, service)
    await opened.folders.filter({ hasText: 'Press' }).click()
    await opened.page.getByRole('heading', { name: 'Press' }).waitFor()
    await opened.page.getByRole('button', { name: 'Account' }).click()
    await opened.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await opened.page.getByRole('button', { name: 'Sign in' }).waitFor()
    await opened.page.goBack()
    await opened.page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await opened.page.getByText('Press').count(), 0)

    await opened.signIn()
    await opened.folders.filter({ hasText: 'Events' }).waitFor()
    await opened.context.clearCookies()
    await opened.folders.filter({ hasText: 'Events' }).click()
    await opened.page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await opened.page.getByText('Events').count(), 0)
    await opened.close()
  })

  test('language and theme are kept on the device, and nothing of the library is', async () => {
    // The first language is the browser's.
    const german = await openConsole(browser, service, { locale: 'de-DE', colorScheme: 'dark' })
    await german.goTo('/console/')
    await german.page.getByRole('button', { name: 'Anmelden' }).waitFor()
    assert.equal(await german.page.locator('html').getAttribute('lang'), 'de')
    await german.close()

    const page = await signedIn(browser, service, { colorScheme: 'dark' })
    const background = () => page.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await background()
    await page.page.getByRole('button', { name: 'Account' }).click()
    await page.page.getByRole('menuitem', { name: 'Light' }).click()
    assert.notEqual(await background(), dark)
    await page.page.getByRole('button', { name: 'Account' }).click()
    await page.page.getByRole('menuitem', { name: 'Dansk' }).click()
    await page.page.getByRole('button', { name: 'Konto' }).waitFor()
    await page.page.reload()
    await page.page.getByRole('button', { name: 'Konto' }).waitFor()
    assert.notEqual(await background(), dark)
    const kept = await page.page.evaluate(() => ({ ...localStorage }))
    assert.deepEqual(kept, { 'console.language': 'da', 'console.theme': 'light' })
    await page.close()
  })
})
