import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { everyObject } from '../../../shared/library/pages.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { LADDER, ONLY_SOUND, PLAYLIST, type Sound, type StreamOutput } from '../../../shared/vocabulary/video.ts'
import { EncodedVideo, smallStream } from '../../support/encoded-video.ts'
import { type ReadPart, readStream } from '../../support/hls.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { runFfmpeg, testFilm, withVideos } from '../../support/videos.ts'
import { setUp } from './set-up.ts'

/** A library with a film, whose stream is encoded by the real ffmpeg, in small sizes. */
async function withFilm(path: string, sounds?: readonly Sound[]) {
  const world = await setUp()
  const { withPreview, askForStream, advance, transcoder, publicFiles, read } = world
  const { mediaId } = await withPreview()
  await askForStream(mediaId)
  await advance(mediaId)

  /** Has ffmpeg do what the latest job says. */
  async function encode(): Promise<void> {
    const job = transcoder.job('stream')
    const { prefix, rungs: _, ...wanted } = job.output as StreamOutput
    const output = { ...smallStream, ...wanted, prefix, ...(sounds && { sounds }) }
    await using encoded = await EncodedVideo.open(path, output, { mime: 'video/x-matroska' })
    await transcoder.finish(job)
    for (const { name, mime } of encoded.files) await publicFiles.putFile(`${prefix}${name}`, encoded.path(name), { contentType: mime })
  }

  /** The stream as files in a folder. */
  async function fetched() {
    const folder = temporaryDirectory()
    const prefix = videoObjects.stream((await read(mediaId)).stream!.encodingId)
    for await (const { key } of everyObject(publicFiles, prefix)) await publicFiles.fetch(key, join(folder, key.slice(prefix.length)))
    const files = { path: (name: string) => join(folder, name), text: (name: string) => readFile(join(folder, name), 'utf8') }
    const { variants, sounds } = await readStream(files, PLAYLIST)
    return { files, pictures: variants.map(({ part }) => part), sounds: [...sounds.values()] }
  }
  return { ...world, mediaId, encode, fetched }
}

const near = (a: number, b: number, within: number) => assert.ok(Math.abs(a - b) <= within, `${a}, not ${b}`)

/** All parts last as long, by their playlists and by what decodes of them. */
function assertOfOneLength(parts: readonly ReadPart[], seconds: number, frameSeconds: number): void {
  for (const part of parts) {
    near(part.seconds, seconds, 0.05)
    near(part.frames.at(-1)!, seconds, frameSeconds + 0.05)
  }
}

/** Where a sound is silent, in seconds. */
async function silencesIn(path: string): Promise<(readonly [start: number, end: number])[]> {
  const { stderr } = await runFfmpeg(['-i', path, '-af', 'silencedetect=noise=-60dB:duration=0.3', '-f', 'null', '-'])
  const times = (name: string) => Array.from(stderr.matchAll(new RegExp(`silence_${name}: ([\\d.]+)`, 'g')), ([, time]) => Number(time))
  const ends = times('end')
  return times('start').map((start, index) => [start, ends[index]!] as const)
}

const sound = (track: number, channels: 2 | 6 = 2): Sound => ({
  ...ONLY_SOUND,
  ...{ part: `audio_${track + 1}${channels === 6 ? '_surround' : ''}`, track, channels, name: `Track ${track}`, isDefault: track === 0 },
})

describe('the parts of a stream', withVideos, () => {
  test('are of one length where sounds differ in length and channels, begin late or have gaps', async () => {
    const film = await testFilm({
      pictures: { seconds: 30, fps: 2 },
      sounds: [{ seconds: 3, channels: 6 }, { seconds: 4, from: 10 }, { seconds: 30 }, { seconds: 20, gap: [5, 9] }],
    })
    const { encode, advance, mediaId, fetched } = await withFilm(film, [sound(0), sound(0, 6), sound(1), sound(2), sound(3)])
    await encode()
    await advance(mediaId)
    const { files, pictures, sounds } = await fetched()
    assertOfOneLength(pictures, 30, 0.5)
    assertOfOneLength(sounds, 30, 0.05)
    const silences = await Promise.all(sounds.map(async ({ uri }) => [uri, await silencesIn(files.path(uri))] as const))
    const rounded = silences.map(([uri, times]) => [uri.replace('_padded', ''), times.flat().map(Math.round)])
    assert.deepEqual(Object.fromEntries(rounded), {
      'ladder_audio_1.m3u8': [3, 30],
      'ladder_audio_1_surround.m3u8': [3, 30],
      'ladder_audio_2.m3u8': [0, 10, 14, 30],
      'ladder_audio_3.m3u8': [],
      'ladder_audio_4.m3u8': [5, 9, 20, 30],
    })
  })

  test.each([
    ['pictures end before the sound', { pictures: { seconds: 1, fps: 5 }, sounds: [{ seconds: 14 }, { seconds: 3 }] }],
    ['there is one picture', { pictures: { seconds: 0.2, fps: 5 }, sounds: [{ seconds: 3 }, { seconds: 14 }] }],
    ['pictures begin late', { pictures: { seconds: 1, fps: 5, from: 4 }, sounds: [{ seconds: 14 }, { seconds: 14 }] }],
  ])('are of one length where %s: the last one stays, and nothing is cut', async (_, film) => {
    const { encode, advance, mediaId, fetched, read, publicNames } = await withFilm(await testFilm(film), [sound(0), sound(1)])
    await encode()
    await advance(mediaId)
    assert.equal((await read(mediaId)).stream!.state, 'queued')
    assert.deepEqual(await publicNames(), [])
    await advance(mediaId)
    await encode()
    await advance(mediaId)
    assert.equal((await read(mediaId)).stream!.state, 'available')
    const { pictures, sounds } = await fetched()
    assert.equal(pictures[0]!.frames[0], 0)
    assertOfOneLength([...pictures, ...sounds], 14, 0.2)
  })

  test('stay as they were encoded where they are of one length, or there is no sound', async () => {
    for (const sounds of [[{ seconds: 3 }], [{ seconds: 2.8 }], []]) {
      const { encode, advance, mediaId, fetched } = await withFilm(await testFilm({ pictures: { seconds: 3, fps: 5 }, sounds }))
      await encode()
      await advance(mediaId)
      const { files } = await fetched()
      assert.equal(await files.text(PLAYLIST), await files.text(LADDER))
    }
  })
})
