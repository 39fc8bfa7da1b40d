import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { encodedStream } from '../support/encoded-stream.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median } from './timing.ts'

/**
 * What the player's page loads before the first segment of a stream, and when it has the first frame, in Chromium on the machine of the server.
 * @param options.rounds each in a browser profile of its own, which has nothing kept
 */
export async function run({ rounds = 11 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { playlist, mediaId } = await encodedStream(service)
  const address = `${service.demo.player_url}/?v=${playlist}&media=${mediaId}`
  const browser = await openBrowser()
  const visits: Visit[] = []
  for (let round = 0; round < rounds; round++) visits.push(await visit(browser, address))
  await browser.close()
  const bytes = (kind: keyof Visit['bytes']) => Math.max(...visits.map((each) => each.bytes[kind])) / 1000
  return [
    { what: 'page, hls.js and playlists, as sent, before the first segment', value: bytes('page'), unit: 'KB', atMost: 300 },
    { what: 'poster', value: bytes('poster'), unit: 'KB' },
    {
      what: `first frame after the page was asked for, median of ${rounds}`,
      value: median(visits.map((each) => each.firstFrame)),
      unit: 'ms',
    },
  ]
}

interface Visit {
  /** As they came over the line, headers included. */
  bytes: { page: number; poster: number }
  /** Milliseconds after the page was asked for. */
  firstFrame: number
}

async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  const urls = new Map<string, string>()
  const bytes = { page: 0, poster: 0 }
  let isBefore = true
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url)
    if (/\.(m4s|mp4)$/.test(request.url)) isBefore = false
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId) ?? ''
    if (url.endsWith('.jpg')) bytes.poster += encodedDataLength
    else if (isBefore) bytes.page += encodedDataLength
  })
  await network.send('Network.enable')
  // Events of a video don't bubble, but they are caught on their way down.
  await page.addInitScript(`addEventListener('loadeddata', () => { window.firstFrame = performance.now() }, true)`)
  await page.goto(address)
  let firstFrame: number | undefined
  while (firstFrame === undefined) {
    await page.waitForTimeout(20)
    firstFrame = await page.evaluate<number | undefined>('window.firstFrame')
  }
  await context.close()
  return { bytes, firstFrame }
}
