import assert from 'node:assert/strict'
import { describe, test, vi } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { quadrantImage } from '../support/pictures/index.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('pictures in a browser', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()

  test('are not fetched again when their URL has changed with the hour', async () => {
    const { id } = await uploadAndImport(client, service.demo.folder_id, await quadrantImage().png().toBuffer(), 'photo.png')
    const thumbnail = () =>
      vi.waitFor(async () => {
        const { body } = await client['search-media']({ query: { unique_media_id: String(id), return_values: 'thumbnail_url' } })
        return String(body.response.media[0]!.thumbnail_url)
      }, 60_000)
    const page = await browser.newPage()
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const fromCache = new Map<string, boolean>()
    network.on('Network.responseReceived', ({ response }) => fromCache.set(response.url, Boolean(response.fromDiskCache)))
    async function isKept(url: string): Promise<boolean> {
      await page.goto('about:blank')
      assert.equal((await page.goto(url))?.status(), 200)
      return fromCache.get(url)!
    }

    const first = await thumbnail()
    assert.equal(await isKept(first), false)
    // It keeps a picture a moment after it has shown it.
    await vi.waitFor(async () => assert.ok(await isKept(first)), 60_000)
    service.advance(3_600)
    const next = await thumbnail()
    assert.notEqual(next, first)
    assert.ok(await isKept(next))
  })
})
