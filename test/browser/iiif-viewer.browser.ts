import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, onTestFinished, test } from 'vitest'
import { toolOrSkip } from '../support/available-tool.ts'
import { npmPackages } from '../support/aws/npm-packages.ts'
import { withBrowser } from '../support/browser.ts'
import { imageService } from '../support/image-service.ts'
import { listening } from '../support/listening.ts'
import { quadrantAt, quadrantImage } from '../support/pictures/index.ts'
import { publishing } from '../support/published-picture.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'

const { tool: modules, skip } = await toolOrSkip('OpenSeadragon', () => npmPackages('openseadragon', { openseadragon: '6.1.1' }))

/** 100 megapixels. */
const large = { width: 11_600, height: 8_700 }

/** What the page holds for the test. */
interface Viewed {
  opened: boolean
  failed: string[]
  loaded: number
}

describe('a viewer of IIIF', { ...skip, ...withBrowser }, async () => {
  const { service, browser } = await serviceWithBrowser()

  /** A page of another site that shows a picture by its image service. */
  async function pageOf(address: string): Promise<string> {
    const script = await readFile(join(modules!, 'openseadragon/build/openseadragon/openseadragon.min.js'))
    const html = `<!doctype html><title>Viewer</title><div id="viewer" style="width: 900px; height: 600px"></div><script src="/viewer.js"></script>
      <script>
        window.viewed = { opened: false, failed: [], loaded: 0 }
        window.viewer = OpenSeadragon({
          id: 'viewer', tileSources: '${address}/info.json', showNavigationControl: false, crossOriginPolicy: 'Anonymous', drawer: 'canvas',
          animationTime: 0, immediateRender: true, maxImageCacheCount: 1000
        })
        viewer.addHandler('open', () => { viewed.opened = true })
        viewer.addHandler('open-failed', ({ message }) => { viewed.failed.push(message) })
        viewer.addHandler('tile-load-failed', ({ tile, message }) => { viewed.failed.push(tile.getUrl() + ': ' + message) })
        viewer.addHandler('tile-loaded', () => { viewed.loaded += 1 })
      </script>`
    const server = createServer((request, response) => {
      const isScript = request.url === '/viewer.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : html)
    })
    const { url, stop } = await listening(server)
    onTestFinished(stop)
    return url
  }

  const look = <Value>(page: Page, expression: string) => page.evaluate<Value>(expression)
  const viewed = (page: Page) => look<Viewed>(page, 'window.viewed')

  test('shows 100 megapixels from the whole to each pixel, without a tile that fails', async () => {
    const { publish } = await publishing(service)
    const { url } = await publish(
      await quadrantImage().resize(large.width, large.height, { kernel: 'nearest' }).jpeg({ quality: 90 }).toBuffer(),
      'large.jpg',
    )
    const page = await browser.newPage()
    const statuses = new Map<string, number>()
    page.on('response', (response) => statuses.set(response.url(), response.status()))
    await page.goto(await pageOf(imageService(url)))
    await page.waitForFunction('viewed.opened || viewed.failed.length > 0', undefined, { timeout: 120_000 })
    assert.deepEqual((await viewed(page)).failed, [])
    assert.deepEqual(await look(page, '(({ x, y }) => [x, y])(viewer.world.getItemAt(0).getContentSize())'), [large.width, large.height])

    // A point within each quadrant, as a fraction of the picture, and how many pixels of the picture are one of the screen.
    for (const scale of [12, 6, 3, 1.5, 1]) {
      for (const [x, y] of [
        [0.2, 0.2],
        [0.8, 0.3],
        [0.3, 0.8],
        [0.97, 0.97],
      ] as const) {
        const point = { x: Math.round(large.width * x), y: Math.round(large.height * y) }
        await look(
          page,
          `(() => {
            const item = viewer.world.getItemAt(0)
            viewer.viewport.zoomTo(item.imageToViewportZoom(${1 / scale}), undefined, true)
            viewer.viewport.panTo(item.imageToViewportCoordinates(${point.x}, ${point.y}), true)
            viewer.forceRedraw()
          })()`,
        )
        await page.waitForFunction('viewed.failed.length > 0 || viewer.world.getItemAt(0).getFullyLoaded()', undefined, {
          timeout: 120_000,
        })
        assert.deepEqual((await viewed(page)).failed, [], `at ${scale}`)
        const shown = await look<number[]>(
          page,
          `new Promise((resolve) => requestAnimationFrame(() => {
            viewer.forceRedraw()
            viewer.drawer.draw([viewer.world.getItemAt(0)])
            const { canvas } = viewer.drawer
            resolve([...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data])
          }))`,
        )
        const expected = quadrantAt(point.x, point.y, large)
        assert.ok(
          expected.every((value, channel) => Math.abs(value - shown[channel]!) < 12),
          `at ${scale}, ${x} x ${y}: ${shown} is not ${expected}`,
        )
      }
    }
    const tiles = [...statuses].filter(([address]) => /\/default\.jpg$/.test(address))
    assert.ok(tiles.length > 40, `${tiles.length} tiles`)
    assert.deepEqual(
      [...statuses].filter(([address, status]) => address.includes('/iiif/3/') && status !== 200),
      [],
    )
  })
})
