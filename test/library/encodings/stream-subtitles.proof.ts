import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import HLS from 'hls-parser'
import { describe, test } from 'vitest'
import { everyObject } from '../../../shared/library/pages.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { EncodedVideo, smallStream } from '../../support/encoded-video.ts'
import { testFolder } from '../../support/library.ts'
import { runFfmpeg, type TestVideo, testVideo, withVideos } from '../../support/videos.ts'
import { setUp } from './set-up.ts'

/** A stream that the engine encoded, with subtitles in two languages, as files in a folder. */
async function streamWithSubtitles(film: TestVideo): Promise<string> {
  const { withStream, putSubtitles, advance, publicFiles } = await setUp()
  const { mediaId, stream } = await withStream()
  const prefix = videoObjects.stream(stream.encodingId)
  await using encoded = await EncodedVideo.open(await testVideo(film), smallStream)
  for (const { name, mime } of encoded.files) await publicFiles.putFile(`${prefix}${name}`, encoded.path(name), { contentType: mime })
  await putSubtitles(mediaId, 'en', 'e1')
  await putSubtitles(mediaId, 'da', 'd1')
  await advance(mediaId)

  const folder = testFolder()
  for await (const { key } of everyObject(publicFiles, prefix)) await publicFiles.fetch(key, join(folder, key.slice(prefix.length)))
  return folder
}

describe('a stream with subtitles', withVideos, () => {
  test.each([
    ['with sound', { seconds: 8 }],
    ['without', { seconds: 2, sound: 'none' }],
  ] as const)('%s is what players that are not ours expect', async (_, film) => {
    const folder = await streamWithSubtitles(film)
    const parse = async (name: string) => HLS.parse(await readFile(join(folder, name), 'utf8'))
    HLS.setOptions({ strictMode: true })
    const index = await parse(PLAYLIST)
    assert.ok(index.isMasterPlaylist)
    assert.equal(index.variants.length, smallStream.rungs.length)
    for (const { subtitles } of index.variants)
      assert.deepEqual(
        subtitles.map(({ language, name, isDefault, autoselect, forced, uri }) => ({ language, name, isDefault, autoselect, forced, uri })),
        [
          { language: 'da', name: 'Dansk', isDefault: false, autoselect: true, forced: false, uri: 'subtitles_da_d1.m3u8' },
          { language: 'en', name: 'English', isDefault: false, autoselect: true, forced: false, uri: 'subtitles_en_e1.m3u8' },
        ],
      )

    const pictures = await parse(index.variants[0]!.uri)
    const subtitles = await parse('subtitles_da_d1.m3u8')
    assert.ok(!subtitles.isMasterPlaylist && !pictures.isMasterPlaylist)
    assert.deepEqual([subtitles.playlistType, subtitles.endlist], ['VOD', true])
    assert.deepEqual(
      subtitles.segments.map(({ duration }) => duration),
      pictures.segments.map(({ duration }) => duration),
    )
    assert.equal(subtitles.targetDuration, pictures.targetDuration)
    for (const [index, { uri }] of subtitles.segments.entries()) {
      const text = await readFile(join(folder, uri), 'utf8')
      assert.ok(text.startsWith('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n'), text)
      // The cue of one second is in the first segment alone.
      assert.equal(text.includes('d1'), index === 0)
    }
  })

  test('is played by ffmpeg, which knows no subtitles in playlists and reads their file by itself', async () => {
    const folder = await streamWithSubtitles({ seconds: 2 })
    assert.equal((await runFfmpeg(['-v', 'error', '-i', join(folder, PLAYLIST), '-f', 'null', '-'])).stderr, '')
    const { stdout, stderr } = await runFfmpeg(['-v', 'error', '-i', join(folder, 'subtitles_da_d1_00000.vtt'), '-f', 'webvtt', '-'])
    assert.deepEqual([stdout.trim(), stderr], ['WEBVTT\n\n00:01.000 --> 00:02.000\nd1', ''])
  })
})
