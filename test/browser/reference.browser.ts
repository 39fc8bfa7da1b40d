import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { images } from '../support/pictures/index.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('the reference in a browser', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  beforeAll(async () => {
    await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'harbour.jpg')
  })

  /** Opens the page. @returns it with what its policy refused, and with everything that it sent */
  async function open() {
    const page = await browser.newPage()
    const refused: string[] = []
    const sent: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`))
    await page.goto(`${service.baseUrl}/docs`)
    await page.locator('.opblock-tag').first().waitFor()
    return { page, refused, sent }
  }

  /** @returns what the form says to these credentials */
  async function signIn(page: Page, { username, password, api_key, api_secret }: Record<string, string>): Promise<string> {
    for (const [name, value] of Object.entries({ username, password, key: api_key, secret: api_secret })) {
      await page.locator(`#sign-in [name=${name}]`).fill(value!)
    }
    await page.locator('#sign-in button').click()
    const outcome = page.locator('#sign-in output')
    await outcome.filter({ hasNotText: 'Signing in …' }).filter({ hasText: /\S/ }).waitFor()
    return outcome.innerText()
  }

  /** Tries an operation with what is filled in. @returns the status and the body of the answer */
  async function tryOut(page: Page, tag: string, operationId: string) {
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
    const operation = page.locator(`[id="operations-${tag}-${operationId}"]`)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    const answer = page.waitForResponse((response) => response.request().resourceType() === 'fetch')
    await operation.locator('.execute').click()
    const response = await answer
    return { status: response.status(), body: await response.json() }
  }

  test('signs in, and search finds files as it is filled in', async () => {
    const { page, refused, sent } = await open()
    assert.match(await signIn(page, service.demo as never), /^Signed in as demo until /)
    const { status, body } = await tryOut(page, 'Search', 'search-media')
    assert.deepEqual([status, body.response.hits, body.response.media[0].filename], [200, 1, 'harbour.jpg'])
    assert.equal((await tryOut(page, 'Folders', 'list-folders')).status, 200)
    assert.equal((await tryOut(page, 'Users', 'whoami')).body.username, 'demo')
    assert.deepEqual(refused, [])
    assert.ok(sent.every((request) => request.startsWith(service.baseUrl) || request.startsWith('data:')))
    assert.ok(!sent.some((request) => request.includes(service.demo.api_secret)), 'the secret stays in the page')
    await page.close()
  })

  test('says why signing in fails, and then is signed in as nobody', async () => {
    const { page } = await open()
    assert.match(await signIn(page, { ...service.demo, password: 'another password' } as never), /wrong/i)
    assert.equal((await tryOut(page, 'Users', 'whoami')).status, 401)
    await page.close()
  })
})
