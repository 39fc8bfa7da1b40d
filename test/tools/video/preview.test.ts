import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { EncodedVideo, smallPreview, type Told } from '../../support/encoded-video.ts'
import { framesOf } from '../../support/hls.ts'
import { runFfmpeg, type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

const preview = (path: string, told: Told = {}, size: { width?: number; height?: number } = {}) =>
  EncodedVideo.open(path, { ...smallPreview, ...size }, told)

/** What ffmpeg says of a file's tracks. */
async function tracks(path: string): Promise<string[]> {
  const { stderr } = await runFfmpeg(['-i', path, '-t', '0', '-f', 'null', '-'])
  return stderr
    .split('Stream mapping')[0]!
    .split('\n')
    .filter((line) => line.includes('Stream #'))
}

/** A video's first frame, as few pixels. */
async function firstFrame(path: string, size: { width: number; height: number }): Promise<Buffer> {
  await runFfmpeg(['-v', 'error', '-i', path, '-frames:v', '1', `${path}.png`])
  return await sharp(`${path}.png`).resize(size.width, size.height, { fit: 'fill' }).removeAlpha().raw().toBuffer()
}

/** Mean difference of samples. */
const difference = (a: Buffer, b: Buffer) => a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length

describe('the preview of a video', withVideos, () => {
  it('is an mp4 that plays while it is loaded: H.264 and stereo AAC', async () => {
    await using encoded = await preview(await testVideo({ codec: 'hevc', bits: 10, sound: '5.1', fps: 50 }))
    assert.deepEqual(
      new Set(encoded.files.map(({ name, mime }) => `${name} ${mime}`)),
      new Set(['preview.mp4 video/mp4', 'poster.0000001.jpg image/jpeg']),
    )
    const { width, height } = await sharp(encoded.path('poster.0000001.jpg')).metadata()
    assert.deepEqual([width, height], [160, 90])
    const [video, audio, ...rest] = await tracks(encoded.path('preview.mp4'))
    assert.match(video!, /h264 \(High\).*yuv420p.*160x90 \[SAR 1:1/)
    assert.match(audio!, /aac \(LC\).*48000 Hz, stereo/)
    assert.deepEqual(rest, [])
    const bytes = await readFile(encoded.path('preview.mp4'))
    assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'))
    assert.equal((await framesOf(encoded.path('preview.mp4'))).frames.length, 50)
  })

  const containers: [mime: string, video: TestVideo][] = [
    ['video/quicktime', { container: 'mov', codec: 'prores' }],
    ['video/x-matroska', { container: 'mkv', codec: 'vp9' }],
    ['video/webm', { container: 'webm', codec: 'av1' }],
    ['video/mp2t', { container: 'ts' }],
    ['video/mp2p', { container: 'mpg', codec: 'mpeg2video' }],
    ['video/x-msvideo', { container: 'avi', codec: 'mpeg4' }],
    ['video/x-flv', { container: 'flv', codec: 'flv', sound: 'none' }],
    ['video/x-ms-asf', { container: 'wmv', codec: 'wmv2' }],
    ['video/ogg', { container: 'ogv', codec: 'theora' }],
    ['application/mxf', { container: 'mxf', codec: 'mpeg2video' }],
    ['video/x-dv', { container: 'dv', codec: 'dvvideo', width: 720, height: 576, sound: 'none' }],
  ]
  it.for(containers)('is made of %s: %o', async ([mime, video]) => {
    await using encoded = await preview(await testVideo({ seconds: 0.2, ...video }), { mime })
    const found = await tracks(encoded.path('preview.mp4'))
    assert.equal(found.length, video.sound === 'none' ? 1 : 2)
    const { frames } = await framesOf(encoded.path('preview.mp4'))
    assert.ok(frames.length >= 3, `${frames.length} frames`)
  })

  it('shows the picture upright, with square pixels', async () => {
    const upright = { width: 90, height: 160 }
    await using workspace = await preview(await testVideo({ seconds: 0.04, sound: 'none' }))
    const plain = await firstFrame(workspace.path('preview.mp4'), { width: 160, height: 90 })
    const picture = () => sharp(plain, { raw: { width: 160, height: 90, channels: 3 } })
    const turned = await picture().rotate(90).raw().toBuffer()
    await using quarter = await preview(await testVideo({ seconds: 0.04, sound: 'none', rotation: 90 }), {}, upright)
    assert.ok(difference(await firstFrame(quarter.path('preview.mp4'), upright), turned) < 8)
    await using mirrored = await preview(await testVideo({ seconds: 0.04, sound: 'none', rotation: 180, mirrored: true }))
    const flipped = await picture().flip().raw().toBuffer()
    assert.ok(difference(await firstFrame(mirrored.path('preview.mp4'), { width: 160, height: 90 }), flipped) < 8)
    await using wide = await preview(await testVideo({ width: 160, height: 180, pixelShape: '2/1', seconds: 0.04, sound: 'none' }))
    assert.match((await tracks(wide.path('preview.mp4')))[0]!, /160x90 \[SAR 1:1/)
  })

  it('carries nothing that was written into the video', async () => {
    await using workspace = await preview(await testVideo())
    const path = workspace.path('told.mp4')
    const place = '+55.6761+012.5683/'
    const told = ['-metadata', `comment=${place}`, '-metadata:s:v', 'title=somebody']
    await runFfmpeg(['-v', 'error', '-i', await testVideo(), ...told, '-c', 'copy', path])
    assert.ok((await readFile(path)).includes(place))
    await using encoded = await preview(path)
    const bytes = await readFile(encoded.path('preview.mp4'))
    assert.ok(!bytes.includes(place) && !bytes.includes('somebody'))
  })
})
