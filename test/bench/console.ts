import type { CDPSession, Page } from 'playwright-core'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { openBrowser } from '../support/browser.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders } from './folders-in-table.ts'
import { keepAliveClient } from './keep-alive-client.ts'
import { untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { library } from './search-library.ts'
import { untilIndexed } from './searched-library.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { median } from './timing.ts'

/** The folder that holds all files. */
const FOLDER = 1_000_000
/** Pixels a second. */
const SPEED = 2_500
const VIEWPORT = { width: 1440, height: 900 }

/**
 * The console in Chromium on the machine of the server: what it loads first, the time to the first screen of a large folder, and scrolling
 * through it. Pictures of the large folder have no bytes, so it shows their ThumbHashes.
 * @param options.rounds sign-ins, each in a browser profile of its own
 */
export async function run({ files = 100_000, seconds = 30, rounds = 5 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await fillFolder(service, files)
  const browser = await openBrowser()
  try {
    const visits: Visit[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en' })
      visits.push(await visit(await context.newPage(), service))
      await context.close()
    }
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en' })
    const page = await context.newPage()
    await visit(page, service)
    const devtools = await context.newCDPSession(page)
    const scrolled = await scroll(page, devtools, seconds, '[role=listbox]')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const rows = await scroll(page, devtools, seconds, '[role=grid] [role=presentation]')
    return [
      {
        what: 'first load: page, scripts and styles, compressed',
        value: Math.max(...visits.map(({ bytes }) => bytes)) / 1000,
        unit: 'KB',
        atMost: 120,
      },
      { what: 'their number', value: Math.max(...visits.map(({ requests }) => requests)), unit: 'files', atMost: 12 },
      {
        what: `first screen of a folder of ${files} files, after the sign-in was sent, median of ${rounds}`,
        value: median(visits.map(({ milliseconds }) => milliseconds)),
        unit: 'ms',
        atMost: 1_500,
      },
      {
        what: `script a frame, scrolling at ${SPEED} pixels a second for ${seconds} s`,
        value: scrolled.scriptPerFrame,
        unit: 'ms',
        atMost: 4,
      },
      { what: 'the longest task meanwhile', value: scrolled.longestTask, unit: 'ms', atMost: 100 },
      { what: 'frames a second meanwhile', value: scrolled.frames / seconds, unit: '1/s' },
      { what: 'the same in columns: script a frame', value: rows.scriptPerFrame, unit: 'ms', atMost: 4 },
      { what: 'the longest task meanwhile', value: rows.longestTask, unit: 'ms', atMost: 100 },
    ]
  } finally {
    await browser.close()
  }
}

async function fillFolder({ directory, demo, pid, baseUrl, signIn }: ServiceProcess, files: number): Promise<void> {
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  try {
    await putFolders(table, demo.company_id, [{ folderId: FOLDER, name: 'Large', parent: null }])
    const owner = { companyId: demo.company_id, userId: demo.user_id }
    await putFiles(
      table,
      owner,
      library(files).map((file) => ({ ...file, folders: [FOLDER] })),
    )
  } finally {
    table.close()
    await untilIdle(pid)
  }
  using client = keepAliveClient({ baseUrl, authorization: await signIn() })
  await untilIndexed(client)
}

interface Visit {
  /** Of the console's own files, compressed as they came over the line, without headers. */
  bytes: number
  /** How many such files there were. */
  requests: number
  /** From the press on `Sign in` to the first screen, on which each file has its picture or ThumbHash. */
  milliseconds: number
}

async function visit(page: Page, { baseUrl, demo }: ServiceProcess): Promise<Visit> {
  const network = await page.context().newCDPSession(page)
  const own = new Set<string>()
  let bytes = 0
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith(`${baseUrl}/console/`)) own.add(requestId)
  })
  network.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength
  })
  await network.send('Network.enable')
  await page.goto(`${baseUrl}/console/folder/${FOLDER}`)
  await page.getByRole('textbox', { name: 'Username' }).fill(demo.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  const milliseconds = await page.evaluate<number>(`new Promise((resolve) => {
    const started = performance.now()
    const look = () => {
      const tiles = [...document.querySelectorAll('[role=option]')]
      const isShown = tiles.length > 0 && tiles.every((tile) => tile.querySelector('img'))
      requestAnimationFrame(isShown ? () => resolve(performance.now() - started) : look)
    }
    document.querySelector('button[type=submit]').click()
    look()
  })`)
  await network.detach()
  return { bytes, requests: own.size, milliseconds }
}

/** @param sheet selects what is scrolled */
async function scroll(page: Page, devtools: CDPSession, seconds: number, sheet: string) {
  const scriptSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')!.value
  }
  await devtools.send('Performance.enable')
  const before = await scriptSeconds()
  const { frames, longestTask } = await page.evaluate<{ frames: number; longestTask: number }>(`new Promise((resolve) => {
    const scroller = document.querySelector('${sheet}').parentElement
    let longestTask = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration)
    })
    observer.observe({ type: 'longtask' })
    let frames = 0
    const started = performance.now()
    let last = started
    const step = (now) => {
      scroller.scrollTop += (${SPEED} * Math.max(0, now - last)) / 1000
      last = Math.max(last, now)
      frames++
      if (now - started < ${seconds * 1000}) requestAnimationFrame(step)
      else resolve({ frames, longestTask })
    }
    requestAnimationFrame(step)
  })`)
  const script = (await scriptSeconds()) - before
  return { frames, longestTask, scriptPerFrame: (script * 1000) / frames }
}
