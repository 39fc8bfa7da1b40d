import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { loopbackProviders, startOpenIdServer } from '../support/openid-server.ts'
import { startService } from '../support/service.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { addProviderTo } from '../support/signing-on.ts'
import { openConsole, signedIn } from './console-page.ts'

describe('signing in to the console', withBrowser, async () => {
  const { service, browser } = await serviceWithBrowser()

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

  test('people sign in with the account of a provider, and come to the address that was asked for', async () => {
    await using server = await startOpenIdServer()
    await using signOn = { service: await startService(loopbackProviders), [Symbol.asyncDispose]: () => signOn.service.stop() }
    await addProviderTo(signOn.service, server, '--create-users')
    const opened = await openConsole(browser, signOn.service)
    await opened.goTo('/console/search?q=harbour')
    const link = opened.page.getByRole('link', { name: 'Sign in with Acme' })
    await link.waitFor()
    const [atProvider] = await Promise.all([opened.page.waitForRequest((request) => request.url().startsWith(server.issuer)), link.click()])
    await opened.page.goto(await server.agree(atProvider.url()))
    await expect.poll(() => opened.page.url()).toBe(`${signOn.service.baseUrl}/console/search?q=harbour`)
    await opened.page.getByRole('button', { name: 'Account' }).waitFor()
    await opened.close()
  })

  test('whom a provider’s sign-on refuses is told why, in their language, and can sign in otherwise', async () => {
    await using server = await startOpenIdServer()
    await using signOn = { service: await startService(loopbackProviders), [Symbol.asyncDispose]: () => signOn.service.stop() }
    await addProviderTo(signOn.service, server)
    for (const [locale, link, reason] of [
      ['en-GB', 'Sign in with Acme', 'You have no account here. Your administrator can give you one.'],
      ['de-DE', 'Mit Acme anmelden', 'Sie haben hier kein Konto. Ihre Verwaltung kann Ihnen eines geben.'],
      ['da-DK', 'Log ind med Acme', 'Du har ingen konto her. Din administrator kan give dig en.'],
    ] as const) {
      const { page, ...opened } = await openConsole(browser, signOn.service, { locale })
      await opened.goTo('/console/')
      const [atProvider] = await Promise.all([
        page.waitForRequest((request) => request.url().startsWith(server.issuer)),
        page.getByRole('link', { name: link }).click(),
      ])
      await page.goto(await server.agree(atProvider.url()))
      await expect.poll(() => page.getByRole('alert').textContent()).toBe(reason)
      await opened.close()
    }
    const opened = await openConsole(browser, signOn.service)
    await opened.goTo('/console/sign-in?refused=constructor')
    await opened.page.getByText('Signing in did not work. Please try again.').waitFor()
    await opened.signIn()
    await opened.page.getByRole('button', { name: 'Account' }).waitFor()
    await opened.goTo('/console/sign-in?refused=provider_failed')
    await opened.page.getByText('The provider can’t sign anybody in at the moment.').waitFor()
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

  test('after signing out Back shows nothing, and a session that ended elsewhere is begun again over the page', async () => {
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
    const again = opened.page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByRole('textbox', { name: 'Password' }).fill(service.demo.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => opened.status.textContent()).toMatch(/file/)

    // Whoever was never signed in here gets the page for it.
    await opened.context.clearCookies()
    await opened.page.reload()
    await opened.page.waitForURL(/\/console\/sign-in/)
    await opened.close()
  })

  test('who is no admin finds no way to the pages of admins, and is told so there; unknown addresses say what they are', async () => {
    const accounts = await provisioning(service)
    const credentials = await accounts.user()
    accounts.close()
    // Somebody who signs in after an admin, in the same page.
    const opened = await signedIn(browser, service)
    const { page } = opened
    const place = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
    await page.getByRole('button', { name: 'Administration' }).click()
    await place('Usage').waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await opened.signIn(credentials)
    await place('Published').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Administration' }).count()).toBe(0)
    await expect.poll(() => place('Usage').count()).toBe(0)
    for (const [address, message] of [
      ['people', 'This page is for admins.'],
      ['groups', 'This page is for admins.'],
      ['brand', 'This page is for admins.'],
      ['keys', 'This page is for admins.'],
      ['usage', 'This page is for admins.'],
      ['activity', 'This page is for admins.'],
      ['nothing', 'There is no such page.'],
      ['folder/0', 'There is no such page.'],
      ['folder/999999999', /gone|not found|no longer/i],
      ['file/999999999', /gone|not found|no longer/i],
    ] as const) {
      await opened.goTo(`/console/${address}`)
      await page.getByText(message).first().waitFor()
      for (const name of ['People', 'Groups', 'Keys', 'Usage', 'Activity', 'Brand']) assert.equal(await place(name).count(), 0, address)
    }
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
