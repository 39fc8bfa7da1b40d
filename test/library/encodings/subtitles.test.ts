import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { listSubtitles, MAX_LANGUAGES, putSubtitles, readSubtitles, removeSubtitles } from '../../../shared/library/encodings/subtitles.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../../../shared/library/errors.ts'
import { videoJob } from '../../../shared/library/videos/job.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { setUpStreams, VIDEO } from './set-up-streams.ts'

const webVtt = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`
const file = (text: string) => ({ bytes: Buffer.from(webVtt(text)), mediaType: 'text/vtt' })

async function setUp() {
  const streams = await setUpStreams()
  const directory = await mkdtemp(join(tmpdir(), 'subtitles-'))
  const media = openEmbeddedObjects(directory, streams.library.clock)
  onTestFinished(async () => {
    media.close()
    await rm(directory, { recursive: true, force: true })
  })
  const keys = async () => (await media.list('')).objects.map(({ key }) => key)
  return {
    ...streams,
    objects: media,
    keys,
    asAdmin: () => ({ ...streams.asAdmin(), media }),
    asUser: () => ({ ...streams.asUser(), media }),
  }
}

describe('subtitles of a video', () => {
  test('are stored, listed by language, read, replaced and removed', async () => {
    const { asAdmin, library, video, keys } = await setUp()
    const put = await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    await putSubtitles(asAdmin(), VIDEO, 'da', {
      bytes: Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHej'),
      mediaType: 'application/x-subrip',
    })
    assert.match(put.id, /^[0-9a-f]{32}$/)
    assert.deepEqual(put, { language: 'en', id: put.id, bytes: webVtt('Hello').length, changed: library.clock.now() })
    assert.deepEqual(
      (await listSubtitles(asAdmin(), VIDEO)).map(({ language }) => language),
      ['da', 'en'],
    )
    assert.equal(await readSubtitles(asAdmin(), VIDEO, 'da'), webVtt('Hej'))

    await putSubtitles(asAdmin(), VIDEO, 'en', file('Bye'))
    assert.equal(await readSubtitles(asAdmin(), VIDEO, 'en'), webVtt('Bye'))
    assert.equal((await keys()).length, 3, 'who reads the former ones meanwhile still finds them')

    await removeSubtitles(asAdmin(), VIDEO, 'en')
    await assert.rejects(readSubtitles(asAdmin(), VIDEO, 'en'), { name: NotFound.name, code: 'subtitles_not_found' })
    await assert.rejects(removeSubtitles(asAdmin(), VIDEO, 'en'), NotFound)
    const { subtitles } = await video()
    assert.deepEqual(Object.keys(subtitles ?? {}), ['da'])
    assert.equal((await videoJob.find(library, String(VIDEO)))?.asked, 5, 'for the preview, and for each change')
  })

  test('that are replaced while somebody reads them are read as they are then', async () => {
    const { asAdmin, objects, keys } = await setUp()
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    let isFirst = true
    const media = {
      async get(key: string) {
        if (isFirst) {
          isFirst = false
          await putSubtitles(asAdmin(), VIDEO, 'en', file('Bye'))
          await objects.delete([key])
        }
        return objects.get(key)
      },
    }
    assert.equal(await readSubtitles({ ...asAdmin(), media }, VIDEO, 'en'), webVtt('Bye'))
    await objects.delete(await keys())
    await assert.rejects(readSubtitles(asAdmin(), VIDEO, 'en'), ObjectMissing)
  })

  test('of several languages at once are all kept, of one language one', async () => {
    const { asAdmin, video } = await setUp()
    const languages = ['da', 'en', 'de', 'fr', 'da', 'en']
    await Promise.all(languages.map((language, index) => putSubtitles(asAdmin(), VIDEO, language, file(`Number ${index}`))))
    assert.deepEqual(Object.keys((await video()).subtitles ?? {}).sort(), ['da', 'de', 'en', 'fr'])
    for (const language of ['da', 'en']) assert.match(await readSubtitles(asAdmin(), VIDEO, language), /Number/)
  })

  test('are stored before the record names them: storage that fails changes nothing', async () => {
    const { asAdmin, video } = await setUp()
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    const before = await video()
    const media = { put: () => Promise.reject(new Error('no storage')) }
    await assert.rejects(putSubtitles({ ...asAdmin(), media }, VIDEO, 'en', file('Bye')), /no storage/)
    assert.deepEqual(await video(), before)
    assert.equal(await readSubtitles(asAdmin(), VIDEO, 'en'), webVtt('Hello'))
  })

  test('leave what is encoded as it is', async () => {
    const { asAdmin, video } = await setUp()
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    const { preview } = await video()
    await putSubtitles(asAdmin(), VIDEO, 'da', file('Hej'))
    assert.deepEqual((await video()).preview, preview)
  })

  test('are of as many languages as there may be, which can still be replaced', async () => {
    const { asAdmin, keys } = await setUp()
    const languages = [...'abcdefghijklmnopqrst'].map((letter) => `q${letter}`)
    assert.equal(languages.length, MAX_LANGUAGES)
    for (const language of languages) await putSubtitles(asAdmin(), VIDEO, language, file('Hello'))
    const tooMany = { name: Invalid.name, code: 'too_many_languages' }
    await assert.rejects(putSubtitles(asAdmin(), VIDEO, 'en', file('Hello')), tooMany)
    assert.equal((await keys()).length, MAX_LANGUAGES, 'nothing is stored')
    await putSubtitles(asAdmin(), VIDEO, 'qa', file('Bye'))
    await removeSubtitles(asAdmin(), VIDEO, 'qb')
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
  })

  test('need WRITE to change and READ to read; what the caller may not know of does not exist', async () => {
    const { asAdmin, asUser, grant, keys } = await setUp()
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    const reads = [() => listSubtitles(asUser(), VIDEO), () => readSubtitles(asUser(), VIDEO, 'en')]
    const writes = [() => putSubtitles(asUser(), VIDEO, 'en', file('Bye')), () => removeSubtitles(asUser(), VIDEO, 'en')]
    for (const call of [...reads, ...writes]) await assert.rejects(call, NotFound)
    await grant('READ')
    for (const call of writes) await assert.rejects(call, Forbidden)
    for (const call of reads) await call()
    await grant('WRITE', 'ADMIN')
    for (const call of reads) await assert.rejects(call, Forbidden)
    assert.equal((await keys()).length, 1)
    for (const call of writes) await call()
  })

  test('are of a video that is there', async () => {
    const { asAdmin, put, keys } = await setUp()
    await assert.rejects(putSubtitles(asAdmin(), toMediaId(2), 'en', file('Hello')), NotFound)
    await put({ kind: 'image' })
    await assert.rejects(putSubtitles(asAdmin(), VIDEO, 'en', file('Hello')), { name: Invalid.name, code: 'not_a_video' })
    assert.deepEqual(await listSubtitles(asAdmin(), VIDEO), [])
    await put({ state: 'importing' })
    await assert.rejects(putSubtitles(asAdmin(), VIDEO, 'en', file('Hello')), { name: Conflict.name, code: 'importing' })
    assert.deepEqual(await keys(), [])
  })

  test('that are none are refused with what is wrong, and nothing is stored', async () => {
    const { asAdmin, keys } = await setUp()
    const wrong = { bytes: Buffer.from('WEBVTT\n\nHello'), mediaType: 'text/vtt' }
    const refused = { name: Invalid.name, code: 'unusable_subtitles', message: 'Line 3: the times of the cue are missing.' }
    await assert.rejects(putSubtitles(asAdmin(), VIDEO, 'en', wrong), refused)
    assert.deepEqual(await keys(), [])
  })

  test('lie beside their file, so that they go with it', async () => {
    const { asAdmin, media, keys } = await setUp()
    const { id } = await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    assert.deepEqual(await keys(), [videoObjects.subtitles(media, 'en', id)])
  })
})
