import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { Workspace } from '../../shared/tools/workspace.ts'
import { withBrowser } from '../support/browser.ts'
import { type EncodedStream, encodedStream } from '../support/encoded-stream.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { runFfmpeg, testVideo, withVideos } from '../support/videos.ts'
import { signedIn } from './console-page.ts'

describe('a film in the console', { ...withVideos, ...withBrowser }, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  let stream: EncodedStream
  beforeAll(async () => {
    stream = await encodedStream(service, { subtitles: ['da', 'en'] })
  })

  test('plays its stream, in sizes and with subtitles that are chosen by name, and gets new ones', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${stream.mediaId}` })
    const { page } = opened
    const poster = await page.locator('video').getAttribute('poster')
    const posterBytes = await page.evaluate(async (address) => (await fetch(address!)).status, poster)
    assert.equal(posterBytes, 200)
    const details = page.getByRole('dialog', { name: 'Details' })
    await details.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBeGreaterThan(0.5)
    await details.getByRole('button', { name: 'Pause' }).click()
    await details.getByRole('button', { name: 'Quality' }).click()
    await page
      .getByRole('menuitem', { name: /^\d+p$/ })
      .first()
      .waitFor()
    await page.getByRole('menuitem', { name: 'Automatic' }).click()
    await details.getByRole('button', { name: 'Subtitles' }).click()
    await page.getByRole('menuitem', { name: 'Dansk' }).click()
    const cues = () =>
      page.evaluate(() => {
        const [track] = [...document.querySelector('video')!.textTracks].filter(({ mode }) => mode === 'showing')
        return track?.cues?.length ?? 0
      })
    await expect.poll(cues).toBeGreaterThan(0)

    await details.getByRole('button', { name: 'Subtitles' }).click()
    await page.getByRole('menuitem', { name: 'Add subtitles' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add subtitles' })
    await dialog.getByRole('combobox', { name: 'Language' }).selectOption('de')
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:05.000\n<b>Hallo</b> <img src=x onerror="document.title=1">\n'
    await dialog.locator('input[type=file]').setInputFiles({ name: 'x.vtt', mimeType: 'text/vtt', buffer: Buffer.from(vtt) })
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await client['list-subtitles']({ params: { id: stream.mediaId } })
    assert.deepEqual(
      body.map(({ language }) => language),
      ['da', 'de', 'en'],
    )

    const listed = details.getByRole('list', { name: 'Subtitles' })
    await listed.getByRole('button', { name: 'Remove German' }).click()
    await page.getByRole('dialog', { name: 'Remove the subtitles in German?' }).getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => listed.getByRole('listitem').allInnerTexts()).toEqual(['Danish', 'English'])
    await opened.close()
  })

  test('what others change appears without a reload', async () => {
    const opened = await signedIn(browser, service)
    await expect.poll(() => opened.names()).toHaveLength(1)
    await client['set-title']({ params: { id: stream.mediaId }, body: { en: 'Changed elsewhere' } })
    await client['create-folder']({ body: { name: 'Made elsewhere', parent: null } })
    await expect.poll(() => opened.names(), { timeout: 60_000 }).toEqual(['Changed elsewhere'])
    await opened.folders.filter({ hasText: 'Made elsewhere' }).waitFor()
    await opened.close()
  })
})

describe('a film that has no stream', { ...withVideos, ...withBrowser }, async () => {
  const { service, browser, client } = await serviceWithBrowser()

  test('plays its preview with the subtitles that the library has of it, also those that come meanwhile', async () => {
    const authorization = await service.signIn()
    const { id } = await uploadAndImport(client, service.demo.folder_id, await readFile(await testVideo({ seconds: 20 })), 'film.mp4')
    const put = async (language: string, line: string) => {
      const body = `WEBVTT\n\n00:00.000 --> 00:20.000\n${line}\n`
      const headers = { authorization, 'content-type': 'text/vtt' }
      assert.equal((await service.request(`/media/${id}/subtitles/${language}`, { method: 'PUT', headers, body })).status, 200)
    }
    await put('da', 'Goddag')
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    const details = page.getByRole('dialog', { name: 'Details' })
    await expect.poll(async () => (await client['get-sized-download-location']({ params: { id, size: '1600px' } })).status).toBe(200)
    await details.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBeGreaterThan(0)
    const choose = async (name: string) => {
      await details.getByRole('button', { name: 'Subtitles' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    const shown = () =>
      page.evaluate(() =>
        [...document.querySelector('video')!.textTracks]
          .filter(({ mode }) => mode === 'showing')
          .flatMap(({ cues }) => [...(cues ?? [])].map((cue) => (cue as VTTCue).text)),
      )
    await choose('Dansk')
    await expect.poll(shown).toEqual(['Goddag'])
    await choose('Add subtitles')
    const dialog = page.getByRole('dialog', { name: 'Add subtitles' })
    await dialog.getByRole('combobox', { name: 'Language' }).selectOption('de')
    const buffer = Buffer.from('WEBVTT\n\n00:00.000 --> 00:20.000\nGuten Tag\n')
    await dialog.locator('input[type=file]').setInputFiles({ name: 'x.vtt', mimeType: 'text/vtt', buffer })
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.waitFor({ state: 'detached' })
    await choose('Deutsch')
    await expect.poll(shown).toEqual(['Guten Tag'])
    await choose('Off')
    await expect.poll(shown).toEqual([])
    await opened.close()
  })

  test('says that a stream could not be made, and offers to try again', async () => {
    await using workspace = await Workspace.open('undecodable')
    const film = workspace.path('screen.mkv')
    await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x192:rate=30:duration=1', '-c:v', 'zmbv', film])
    const bytes = await readFile(film)
    const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, 'screen.mkv')
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Make web version' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'The web version could not be made.' })
    await failure.getByRole('button', { name: 'Try again' }).click({ timeout: 60_000 })
    await page.getByRole('status').filter({ hasText: 'The web version is being made.' }).last().waitFor()
    await failure.waitFor({ timeout: 60_000 })
    await opened.close()
  })
})
