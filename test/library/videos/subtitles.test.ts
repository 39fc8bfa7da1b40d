import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { Invalid } from '../../../shared/library/errors.ts'
import { MAX_LANGUAGES, putSubtitles, readSubtitles, removeSubtitles } from '../../../shared/library/videos/subtitles.ts'
import { openTestObjects } from '../../support/library.ts'
import { setUpStreams, VIDEO } from './set-up-streams.ts'

const webVtt = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`
const file = (text: string) => ({ bytes: Buffer.from(webVtt(text)), mediaType: 'text/vtt' })

async function setUp() {
  const streams = await setUpStreams()
  const media = openTestObjects(streams.library.clock)
  const keys = async () => (await media.list('')).objects.map(({ key }) => key)
  return {
    ...streams,
    objects: media,
    keys,
    asAdmin: () => ({ ...streams.asAdmin(), media }),
  }
}

describe('subtitles of a video', () => {
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

  test('are stored before the record names them: storage that fails changes nothing', async () => {
    const { asAdmin, video } = await setUp()
    await putSubtitles(asAdmin(), VIDEO, 'en', file('Hello'))
    const before = await video()
    const media = { put: () => Promise.reject(new Error('no storage')) }
    await assert.rejects(putSubtitles({ ...asAdmin(), media }, VIDEO, 'en', file('Bye')), /no storage/)
    assert.deepEqual(await video(), before)
    assert.equal(await readSubtitles(asAdmin(), VIDEO, 'en'), webVtt('Hello'))
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
})
