import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { inspect } from '../../../shared/library/imports/inspect.ts'
import { ToolTimedOut, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { type TimeLimit, timeLimit } from '../../../shared/tools/processes/time-limit.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { images, matroska, mp4, save } from '../../support/pictures/index.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

const toolsWith = (exiftool: ExifTool) => ({ exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe() })

describe('looking at a file', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'inspect-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('that is neither picture nor film goes on without tags after 5 s of the processor', async () => {
    const given: (TimeLimit | undefined)[] = []
    const readTags: ExifTool['readTags'] = (_path, _name, time) => {
      given.push(time)
      return Promise.reject(new ToolTimedOut('the file took 5.0 s of the processor'))
    }
    const path = await save(directory, 'text', Buffer.from('some text'))
    const { sniffed, tags } = await inspect(toolsWith({ readTags } as ExifTool), { path, filename: 'a.txt', into: directory })
    assert.deepEqual([sniffed.kind, tags, given], ['generic', undefined, [timeLimit(5_000)]])
  })

  test('that is an SVG, zipped or not, finds its size and what it says of itself', async () => {
    await using exiftool = Object.assign(createExifTool(), { [Symbol.asyncDispose]: () => exiftool.close() })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><title>Boat</title></svg>')
    for (const [bytes, extension] of [
      [svg, 'svg'],
      [gzipSync(svg), 'svgz'],
    ] as const) {
      const path = await save(directory, 'drawing', bytes)
      const { sniffed, width, height, tags } = await inspect(toolsWith(exiftool), { path, filename: 'drawing', into: directory })
      assert.deepEqual([sniffed.kind, sniffed.mime, sniffed.extension, width, height], ['vector', 'image/svg+xml', extension, 200, 100])
      assert.equal(tags?.printed.SVG?.Title, 'Boat')
    }
  })

  test('that is a damaged zipped SVG goes on with what it says as it is', async () => {
    await using exiftool = Object.assign(createExifTool(), { [Symbol.asyncDispose]: () => exiftool.close() })
    const path = await save(directory, 'drawing', gzipSync('<svg width="10" height="10"/>').subarray(0, -9))
    const { sniffed, width } = await inspect(toolsWith(exiftool), { path, filename: 'drawing.svgz', into: directory })
    assert.deepEqual([sniffed.kind, width], ['vector', null])
  })

  describe('in a container for films', () => {
    let exiftool: ExifTool
    beforeAll(() => {
      exiftool = createExifTool()
    })
    afterAll(() => exiftool.close())

    const inspectAt = (path: string) => inspect(toolsWith(exiftool), { path, filename: 'film', into: directory })

    async function kindOf(bytes: Buffer): Promise<string> {
      return (await inspectAt(await save(directory, 'film', bytes))).sniffed.kind
    }

    test('finds a film where there is a video track', async () => {
      const films = [mp4(['soun', 'vide']), mp4(['vide'], 'qt  '), matroska([2, 1]), matroska([1, 2]), matroska([1], 'webm')]
      for (const film of films) assert.equal(await kindOf(film), 'video')
    })

    test('finds generic sound where there is no other track', async () => {
      const sounds = [mp4(['soun']), mp4(['soun', 'soun'], 'qt  '), mp4(['soun'], 'M4A '), matroska([2]), matroska([2], 'webm')]
      for (const sound of sounds) assert.equal(await kindOf(sound), 'generic')
    })

    test('finds raw digital video, as it is shown, with what its packs say', withVideos, async () => {
      const film = { container: 'dv', codec: 'dvvideo', width: 720, height: 576, pixelShape: '16/15', seconds: 0.4, sound: 'none' } as const
      const { sniffed, width, height, video } = await inspectAt(await testVideo(film))
      assert.deepEqual([sniffed.mime, width, height], ['video/x-dv', 768, 576])
      assert.deepEqual([video?.seconds, video?.frameRate, video?.videoCodec, video?.hasAudio], [0.4, 25, 'dv', null])
    })

    test('finds none where the bytes are a playlist or a script that names other files, whatever the name says', async () => {
      const texts = [
        '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/secret.ts\n',
        "ffconcat version 1.0\nfile '/etc/passwd'\n",
        '[playlist]\nFile1=/etc/passwd\n',
      ]
      for (const text of texts) assert.equal(await kindOf(Buffer.from(text)), 'generic', text)
    })

    test('finds a film where its tracks are cut off', async () => {
      assert.equal(await kindOf(mp4(['vide']).subarray(0, 500)), 'video')
      assert.equal(await kindOf(matroska([1]).subarray(0, 40)), 'video')
    })
  })

  test('over which a tool stumbles goes on without it, unless the system is at fault', async () => {
    const path = await save(directory, 'picture.jpg', images['plain.jpg']())
    const throwing = (error: Error) => toolsWith({ readTags: () => Promise.reject(error) } as unknown as ExifTool)
    const { sniffed, tags, width } = await inspect(throwing(new RangeError('a mistake of ours')), {
      path,
      filename: 'a.jpg',
      into: directory,
    })
    assert.deepEqual([sniffed.kind, tags, width], ['image', undefined, 64])
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
    for (const fault of [full, new ToolUnavailable('not there')]) {
      await assert.rejects(inspect(throwing(fault), { path, filename: 'a.jpg', into: directory }), fault)
    }
  })
})
