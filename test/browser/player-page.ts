import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** The player's page in a browser, as a test sees it. */
export interface PlayerPage {
  page: Page
  /** Addresses of all requests so far. */
  requests: string[]
  /** What the browser complains of: scripts that failed, and what the Content-Security-Policy stopped. */
  complaints: string[]
  /** Evaluates an expression of the page's script, where `video` is the video. */
  look<Value>(expression: string): Promise<Value>
  /** Waits until such an expression holds. */
  until(expression: string): Promise<void>
}

/** Watches a page from before it is opened. @param frame CSS selector of the iframe that holds the player; absent where the page itself does */
export function playerPage(page: Page, frame?: string): PlayerPage {
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  const of = (expression: string) => `(() => { const video = document.querySelector('video'); return ${expression} })()`
  const holder = async () => {
    if (frame === undefined) return page
    return (await (await page.waitForSelector(frame)).contentFrame()) ?? page
  }
  const look = async <Value>(expression: string) => (await holder()).evaluate<Value>(of(expression))
  return {
    page,
    requests,
    complaints,
    look,
    async until(expression) {
      // Playwright's own waiting evaluates text in the page, which the Content-Security-Policy forbids.
      const deadline = performance.now() + LONGEST
      while (!(await look(expression))) {
        assert.ok(performance.now() < deadline, `it never came to: ${expression}`)
        await sleep(50)
      }
    },
  }
}

/** Longest time until something holds, in milliseconds: far more than it takes. */
const LONGEST = 120_000

/** How many different colours a frame of the video has, of 16 x 9 points. The expression for `look`. */
export const COLOURS = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 9 })
  const context = canvas.getContext('2d')
  context.drawImage(video, 0, 0, 16, 9)
  return new Set(new Uint32Array(context.getImageData(0, 0, 16, 9).data.buffer)).size
})()`
