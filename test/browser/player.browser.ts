import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { type EncodedStream, encodedStream } from '../support/encoded-stream.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { testFilm, withVideos } from '../support/videos.ts'
import { COLOURS, type PlayerPage, playerPage } from './player-page.ts'

/** Where links were before, as the operator says. Nobody is there. */
const FORMER = 'https://cdn.example.org'

/** Pictures of the page are left here, to be looked at. */
const PICTURES = join(import.meta.dirname, '../../dist/player')

describe("the player's page in a browser", { ...withVideos, ...withBrowser }, async () => {
  const { service, browser } = await serviceWithBrowser({ FORMER_CDN_URLS: FORMER })
  let stream: EncodedStream
  beforeAll(async () => {
    await mkdir(PICTURES, { recursive: true })
    stream = await encodedStream(service, { subtitles: ['da', 'en'] })
  })

  const addressOf = (playlist: string, media = String(stream.mediaId)) =>
    `${service.demo.player_url}/?v=${encodeURIComponent(playlist)}&media=${encodeURIComponent(media)}`

  async function open(address: string, options?: BrowserContextOptions): Promise<PlayerPage> {
    const player = playerPage(await browser.newPage(options))
    await player.page.goto(address)
    return player
  }

  /** The page with the stream, once its first frame is there. */
  async function opened(options?: BrowserContextOptions): Promise<PlayerPage> {
    const player = await open(addressOf(stream.playlist), options)
    await player.until('video && video.readyState >= 2')
    return player
  }

  const picture = ({ page }: PlayerPage, name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) })
  const isVisible = ({ page }: PlayerPage, selector: string) => page.locator(selector).isVisible()

  async function close({ page, complaints }: PlayerPage): Promise<void> {
    await page.close()
    assert.deepEqual(complaints, [])
  }

  test('plays a stream when somebody says so: time goes on, and the picture is not blank', async () => {
    const player = await opened()
    assert.equal(await player.page.title(), `Video ${stream.mediaId}`)
    assert.equal(await player.page.locator('html').getAttribute('lang'), 'en')
    assert.deepEqual(await player.look('[video.paused, Math.round(video.duration)]'), [true, 20])
    assert.equal(await player.look('video.poster'), stream.playlist.replace('index.m3u8', 'poster.jpg'))
    await picture(player, 'ready')
    await player.page.getByRole('group', { name: 'Controls' }).getByRole('button', { name: 'Play' }).click()
    await player.until('video.currentTime > 1')
    assert.ok((await player.look<number>(COLOURS)) > 10)
    await picture(player, 'playing')
    await close(player)
  })

  test('takes an address that is not encoded, too', async () => {
    const player = await open(`${service.demo.player_url}?v=${stream.playlist}&media=${stream.mediaId}`)
    await player.until('video && video.readyState >= 2')
    await close(player)
  })

  test('plays a stream of a former address, at the present one', async () => {
    const { baseUrl, demo } = service
    const path = stream.playlist.slice(demo.cdn_url.length)
    const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost')
    const given = [
      addressOf(FORMER + path),
      `${baseUrl}/-/player/?v=${baseUrl}/-/links${path}&media=${stream.mediaId}`,
      `${elsewhere(demo.player_url!)}/?v=${encodeURIComponent(elsewhere(stream.playlist))}&media=${stream.mediaId}`,
    ]
    for (const address of given) {
      const player = await open(address)
      await player.until('video && video.readyState >= 2')
      const streams = player.requests.filter((url) => new URL(url).pathname.includes('/streams/'))
      assert.ok(streams.length > 0 && streams.every((url) => url.startsWith(demo.cdn_url)), streams.join())
      await close(player)
    }
  })

  test('plays a short upright video without sound, which has one size', async () => {
    const { playlist } = await encodedStream(service, { width: 180, height: 320, seconds: 2, sound: 'none' })
    const player = await open(addressOf(playlist))
    await player.until('video && video.readyState >= 2')
    await player.page.keyboard.press('k')
    await player.until('video.ended')
    assert.deepEqual(await player.look('[video.videoWidth, video.videoHeight]'), [180, 320])
    assert.deepEqual(await player.page.getByLabel('Quality').locator('option').allTextContents(), ['Auto (180p)', '180p'])
    assert.equal(await isVisible(player, '#subtitles'), false)
    await picture(player, 'upright')
    await close(player)
  })

  test.each([
    ['its sound ends long before its pictures', { pictures: { seconds: 150, fps: 2 }, sounds: [{ seconds: 8 }] }],
    ['its sound goes on long after its pictures', { pictures: { seconds: 0.2, fps: 5 }, sounds: [{ seconds: 90 }] }],
  ])('plays to its end where %s', async (_case, film) => {
    const { playlist } = await encodedStream(service, { path: await testFilm(film) })
    const player = await open(addressOf(playlist))
    await player.until('video && video.readyState >= 2')
    await player.look('void (video.currentTime = 7)')
    await player.page.keyboard.press('k')
    await player.until('video.currentTime > 10')
    await player.look('void (video.currentTime = video.duration - 1)')
    await player.until('video.ended')
    await close(player)
  })

  test('ends, and plays again from its beginning', async () => {
    const player = await opened()
    await player.look('void (video.currentTime = 19.5)')
    await player.page.keyboard.press('k')
    await player.until('video.ended')
    await player.page.keyboard.press('k')
    await player.until('!video.ended && video.currentTime < 15')
    await close(player)
  })

  test('shows which size plays, and takes another where somebody chooses one', async () => {
    const player = await opened()
    await player.page.keyboard.press('k')
    const sizes = player.page.getByLabel('Quality')
    assert.deepEqual((await sizes.locator('option').allTextContents()).slice(1), ['480p', '360p', '240p'])
    for (const size of ['240p', '480p', '360p']) {
      await sizes.selectOption(size)
      await player.until(`video.videoHeight === ${Number.parseInt(size, 10)}`)
      await player.until(`document.querySelector('#quality .shown').textContent === '${size}'`)
    }
    await close(player)
  })

  test('shows subtitles of the language that is chosen', async () => {
    const player = await opened()
    const menu = player.page.getByLabel('Subtitles')
    assert.deepEqual(await menu.locator('option').allTextContents(), ['Off', 'Dansk', 'English'])
    const cues = `[...video.textTracks].filter(({ mode }) => mode === 'showing').flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text)).join()`
    assert.equal(await player.look(cues), '')
    await player.page.keyboard.press('k')
    for (const [name, code] of [
      ['Dansk', 'da'],
      ['English', 'en'],
    ] as const) {
      await menu.selectOption(name)
      await player.until(`${cues} === 'This is ${code}'`)
    }
    await picture(player, 'subtitles')
    await menu.selectOption('Off')
    await player.until(`${cues} === ''`)
    await close(player)
  })

  test('is ruled by the keyboard', async () => {
    const player = await opened({ locale: 'en-GB' })
    const { keyboard } = player.page
    await keyboard.press('Space')
    await player.until('!video.paused')
    await keyboard.press('Space')
    await player.until('video.paused')
    await keyboard.press('Home')
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await player.until('video.currentTime === 10')
    await keyboard.press('ArrowLeft')
    await player.until('video.currentTime === 5')
    await keyboard.press('m')
    await player.until('video.muted')
    await keyboard.press('m')
    await keyboard.press('ArrowDown')
    await player.until('!video.muted && Math.abs(video.volume - 0.9) < 0.01')
    await keyboard.press('c')
    await player.until(`[...video.textTracks].some(({ mode, language }) => mode === 'showing' && language === 'en')`)
    await keyboard.press('c')
    await player.until(`[...video.textTracks].every(({ mode }) => mode !== 'showing')`)
    await keyboard.press('f')
    await player.until(`document.fullscreenElement?.id === 'player'`)
    await keyboard.press('f')
    await player.until('!document.fullscreenElement')
    await close(player)
  })

  test('has a name for each control, reaches all by the tabulator, and shows where the focus is', async () => {
    const player = await opened()
    const reached: string[] = []
    for (let presses = 0; presses < 7; presses++) {
      await player.page.keyboard.press('Tab')
      reached.push(await player.look(`document.activeElement.getAttribute('aria-label')`))
      const ring = `getComputedStyle(document.activeElement.closest('.choice') ?? document.activeElement).outlineStyle`
      assert.equal(await player.look(ring), 'solid', reached.at(-1))
    }
    assert.deepEqual(reached, ['Position', 'Play', 'Mute', 'Volume', 'Subtitles', 'Quality', 'Full screen'])
    await picture(player, 'focus')
    await player.page.getByLabel('Subtitles').focus()
    await player.page.keyboard.press('ArrowDown')
    await player.until(`[...video.textTracks].some(({ mode }) => mode === 'showing')`)
    assert.equal(await player.page.getByLabel('Position').getAttribute('aria-valuetext'), '0:00 of 0:20')
    await close(player)
  })

  test.each([
    { width: 1280, height: 720 },
    { width: 320, height: 180 },
    { width: 320, height: 640 },
  ])('fits into $width x $height', async (viewport) => {
    const player = await opened({ viewport })
    const outside = `[...document.querySelectorAll('#controls :is(button, select, input), #start')].filter((part) => {
      const { left, top, right, bottom, width } = part.getBoundingClientRect()
      return width > 0 && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
    }).map(({ id }) => id)`
    assert.deepEqual(await player.look(outside), [])
    assert.deepEqual(await player.look('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]'), [
      viewport.width,
      viewport.height,
    ])
    await picture(player, `${viewport.width}x${viewport.height}`)
    await close(player)
  })

  test('hides the controls while it plays and nobody does anything', async () => {
    const player = await opened()
    await player.page.keyboard.press('k')
    await player.until(`getComputedStyle(document.querySelector('#controls')).opacity === '0'`)
    await picture(player, 'quiet')
    await player.page.mouse.move(50, 50)
    await player.until(`getComputedStyle(document.querySelector('#controls')).opacity === '1'`)
    await close(player)
  })

  test.each([
    ['plain', ''],
    ['in a sandbox', ' sandbox="allow-scripts"'],
  ])('plays in a page of another site, %s', async (_case, sandbox) => {
    const { iframe } = (await (await fetch(`${service.demo.player_url}/iframe.json`)).json()) as { iframe: string }
    const embedded = iframe
      .replace('{v}', stream.playlist)
      .replace('{media}', String(stream.mediaId))
      .replace('<iframe', `<iframe${sandbox}`)
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html>${embedded}`))
    site.listen(0, 'localhost')
    await once(site, 'listening')
    const player = playerPage(await browser.newPage(), 'iframe')
    await player.page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    await player.page.frameLocator('iframe').getByRole('group', { name: 'Controls' }).getByRole('button', { name: 'Play' }).click()
    await player.until('video.currentTime > 0.5')
    await picture(player, 'embedded')
    await close(player)
    site.close()
  })

  test('plays by itself where the browser has no Media Source Extensions, and so needs no hls.js', async () => {
    const player = playerPage(await browser.newPage())
    await player.page.addInitScript('delete window.MediaSource')
    await player.page.goto(addressOf(stream.playlist))
    if ((await player.look(`video.canPlayType('application/vnd.apple.mpegurl')`)) !== '') {
      await player.until('video.readyState >= 2')
      await player.page.keyboard.press('k')
      await player.until('video.currentTime > 0.5')
    }
    assert.ok(player.requests.every((url) => !url.includes('/hls.')))
    await close(player)
  })

  test('says that a stream is gone, and that one can not be reached', async () => {
    const gone = await open(addressOf(`${service.demo.cdn_url}/streams/${'0'.repeat(32)}/index.m3u8`))
    await gone.page.getByText('This video is no longer here.').waitFor()
    assert.deepEqual([await isVisible(gone, '#again'), await isVisible(gone, '#controls')], [false, false])
    await picture(gone, 'gone')
    await close(gone)

    const cut = playerPage(await browser.newPage())
    await cut.page.route('**/index.m3u8', (route) => route.abort())
    await cut.page.goto(addressOf(stream.playlist))
    await cut.page.getByText("The video can't be loaded right now.").waitFor()
    await picture(cut, 'unreachable')
    await cut.page.unroute('**/index.m3u8')
    await cut.page.getByRole('button', { name: 'Try again' }).click()
    await cut.until('video && video.readyState >= 2')
    await close(cut)
  })

  test.each([
    ['nothing', ''],
    ['a page of another host', 'https://example.org/streams/0123456789abcdef0123456789abcdef/index.m3u8'],
    ['another host before ours', 'https://example.org/?OURS'],
    ['our name as a user of another host', 'http://OURS@example.org/index.m3u8'],
    ['a path out of the streams', 'OURS/../../links/demo/index.m3u8'],
    ['more behind the playlist', 'OURS?x'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:application/vnd.apple.mpegurl,%23EXTM3U'],
    ['markup', '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>'],
  ])('fetches nothing for an address with %s, and runs nothing', async (_case, v) => {
    const player = await open(addressOf(v.replace('OURS', stream.playlist), '<script>window.ran=1</script>'))
    await player.page.getByText('The address of this page names no video.').waitFor()
    assert.equal(await player.look('window.ran'), undefined)
    assert.equal(await player.page.locator('img, script[src], video').count(), 0)
    assert.equal(await player.page.title(), 'Video')
    assert.deepEqual(
      player.requests.filter((url) => !url.startsWith(`${service.demo.player_url}/?v=`) && !url.startsWith('data:')),
      [],
    )
    await close(player)
  })

  test('a script that somebody puts into the page does not run', async () => {
    const player = await open(service.demo.player_url!)
    await player.look(`void (document.body.innerHTML += '<img src="data:," onerror="window.ran = 1">')`)
    await player.look(`void document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))`)
    await player.page.waitForTimeout(200)
    assert.equal(await player.look('window.ran'), undefined)
    assert.ok(player.complaints.length > 0)
    await player.page.close()
  })
})
