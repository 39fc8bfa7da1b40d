import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { inspect } from '../../../shared/library/imports/inspect.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { runFfmpeg, type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

/** Containers that have no H.264. */
const codecs: { [container: string]: Pick<TestVideo, 'codec'> } = {
  webm: { codec: 'vp9' },
  avi: { codec: 'mpeg4' },
  flv: { codec: 'flv' },
  wmv: { codec: 'wmv2' },
  mpg: { codec: 'mpeg2video' },
  mxf: { codec: 'mpeg2video' },
}

describe('looking at films of every container', withVideos, () => {
  let exiftool: ExifTool
  let directory: string
  beforeAll(async () => {
    exiftool = createExifTool()
    directory = await mkdtemp(join(tmpdir(), 'inspect-'))
  })
  afterAll(async () => {
    await exiftool.close()
    await rm(directory, { recursive: true })
  })

  function inspectAt(path: string) {
    const tools = { exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe() }
    return inspect(tools, { path, filename: 'film', into: directory })
  }

  test('finds sound alone, whoever knows its container', async () => {
    for (const container of ['mp4', 'mov', 'mkv', 'webm', 'ts', 'flv', 'wmv', 'mpg'] as const) {
      const film = await testVideo({ container, ...codecs[container] })
      const sound = join(directory, `sound.${container}`)
      await runFfmpeg(['-i', film, '-vn', '-c', 'copy', sound])
      const inspection = await inspectAt(sound)
      assert.deepEqual([inspection.sniffed.kind, inspection.video, inspection.width], ['generic', undefined, null], container)
      assert.equal((await inspectAt(film)).sniffed.kind, 'video', container)
    }
  })

  test('tells of a film what the probe says, and what the tags say of containers that it does not know', async () => {
    const known = { frameRate: 25, hasAudio: true, isHdr: false }
    const expected = {
      mp4: {
        ...known,
        audioTracks: [{ language: null, name: null, channels: 2, isDefault: true }],
        videoCodec: 'h264',
        audioCodec: 'aac',
        seconds: 2,
      },
      avi: { ...known, videoCodec: 'mpeg4', audioCodec: 'mp3', seconds: 2 },
      flv: { ...known, videoCodec: null, audioCodec: null, seconds: 2 },
      wmv: { ...known, videoCodec: 'wmv2', audioCodec: null, seconds: 2, frameRate: null },
      mpg: { ...known, videoCodec: null, audioCodec: null, seconds: null },
      mxf: { ...known, videoCodec: null, audioCodec: null, seconds: 2, hasAudio: null },
    } as const
    for (const [container, facts] of Object.entries(expected)) {
      const film = { container, seconds: 2, ...codecs[container] } as TestVideo
      const { video, width, height } = await inspectAt(await testVideo(film))
      assert.deepEqual([width, height], [320, 180], container)
      const seconds = video?.seconds && Math.round(video.seconds)
      assert.deepEqual({ ...video, seconds }, facts, container)
    }
  })

  test('tells sound of AVI apart', async () => {
    const path = join(directory, 'sound.avi')
    for (const [codec, name] of [
      ['pcm_u8', 'pcm-u8'],
      ['pcm_s16le', 'pcm-s16'],
      ['ac3', 'ac3'],
    ] as const) {
      await runFfmpeg(['-v', 'error', '-i', await testVideo(), '-c:v', 'mpeg4', '-c:a', codec, path])
      const { sniffed, video } = await inspectAt(path)
      assert.deepEqual([sniffed.mime, video?.audioCodec], ['video/x-msvideo', name])
    }
  })
})
