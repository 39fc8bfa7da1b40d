import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, onTestFinished, test, vi } from 'vitest'
import { ToolBusy, ToolFailed } from '../../../shared/tools/failure.ts'
import { createVideoProbe, type Probed } from '../../../shared/tools/video/probe.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { images, save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { runFfmpeg, type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

const probe = createVideoProbe()
const probed = async (wanted: TestVideo = {}) => probe(await testVideo(wanted))
const sizeOf = ({ width, height }: Probed) => [width, height]

describe('the probe of videos', () => {
  const directory = temporaryDirectory(afterAll)

  test('tells duration, size, frame rate, codecs and sound of each container that it knows', withVideos, async () => {
    const films = [
      { container: 'mp4', codec: 'h264' },
      { container: 'mkv', codec: 'hevc' },
      { container: 'webm', codec: 'vp9' },
      { container: 'ts', codec: 'h264' },
    ] as const
    for (const film of films) {
      const { facts, ...known } = await probed({ ...film, seconds: 1 })
      assert.deepEqual(known, { hasVideo: true, hasAudio: true, width: 320, height: 180 }, film.container)
      assert.ok(Math.abs(facts.seconds! - 1) < 0.1, `${film.container}: ${facts.seconds} s`)
      const audioCodec = film.container === 'webm' ? 'opus' : 'aac'
      const audioTracks = [{ language: null, name: null, channels: 2, isDefault: !['mkv', 'webm'].includes(film.container) }]
      assert.deepEqual(
        { ...facts, seconds: 1 },
        { seconds: 1, frameRate: 25, videoCodec: film.codec, audioCodec, hasAudio: true, audioTracks, isHdr: false },
        film.container,
      )
    }
  })

  test('tells the size as it is shown: turned and mirrored, and of pixels that are no squares', withVideos, async () => {
    assert.deepEqual(sizeOf(await probed({ rotation: 90 })), [180, 320])
    assert.deepEqual(sizeOf(await probed({ rotation: 180, mirrored: true })), [320, 180])
    assert.deepEqual(sizeOf(await probed({ width: 720, height: 576, pixelShape: '64/45' })), [1024, 576])
  })

  const shapes: [why: string, film: TestVideo, width: number, height: number][] = [
    ['the display aspect of a sequence header (ISO/IEC 13818-2, table 6-3)', { container: 'mpg', codec: 'mpeg2video' }, 1024, 576],
    ['the same in a transport stream', { container: 'ts', codec: 'mpeg2video' }, 1024, 576],
    ['pixels that are higher than wide', { container: 'mpg', codec: 'mpeg2video', height: 480, pixelShape: '8/9' }, 720, 540],
    [
      'the pixels of MPEG-1 (ISO/IEC 11172-2, 2.4.3.2)',
      { container: 'mpg', codec: 'mpeg1video', width: 352, height: 288, pixelShape: '128/117' },
      384,
      288,
    ],
    ['the AspectRatio of a descriptor of MXF (SMPTE ST 377-1)', { container: 'mxf', codec: 'mpeg2video' }, 1024, 576],
    ['`vprp` of AVI', { container: 'avi', codec: 'wmv2' }, 1024, 576],
    ['the packs of DV (IEC 61834-4)', { container: 'dv', codec: 'dvvideo', sound: 'none', pixelShape: '16/15' }, 768, 576],
    ['the object layer of MPEG-4 alone', { container: 'avi', codec: 'mpeg4' }, 1024, 576],
    ['the VUI of H.264 alone', { container: 'mov', codec: 'h264' }, 1024, 576],
    ['H.264 in FLV', { container: 'flv', codec: 'h264' }, 1024, 576],
    ['AspectRatioX and AspectRatioY of ASF', { container: 'wmv', codec: 'wmv2' }, 1024, 576],
    ['the header of Theora', { container: 'ogv', codec: 'theora' }, 1024, 576],
  ]
  test.for(shapes)('tells the shown size by %s', withVideos, async ([why, film, width, height]) => {
    const path = await testVideo({ width: 720, height: 576, pixelShape: '64/45', seconds: 0.4, ...film })
    assert.deepEqual(sizeOf(await probe(why.endsWith('alone') ? await withoutContainersWord(path) : path)), [width, height])
  })

  /** The film in a container that says nothing of its shape. */
  async function withoutContainersWord(path: string): Promise<string> {
    const bytes = await readFile(path)
    for (const word of ['vprp', 'pasp']) if (bytes.includes(word)) bytes.write('JUNK', bytes.indexOf(word), 'latin1')
    return await save(directory, 'without', bytes)
  }

  test('takes the word of the container where it says something else than the frames', withVideos, async () => {
    const bytes = await readFile(await testVideo({ width: 720, height: 576, pixelShape: '64/45', container: 'mxf', codec: 'mpeg2video' }))
    // The local tag of AspectRatio, its length, and a fraction of two 32-bit numbers.
    const wide = Buffer.from('320e00080000001000000009', 'hex')
    const narrow = Buffer.from('320e00080000000400000003', 'hex')
    for (let at = bytes.indexOf(wide); at >= 0; at = bytes.indexOf(wide)) narrow.copy(bytes, at)
    assert.deepEqual(sizeOf(await probe(await save(directory, 'narrow.mxf', bytes))), [768, 576])
  })

  test('tells that there is no sound, of many tracks the first eight, and that there is sound alone', withVideos, async () => {
    assert.deepEqual((await probed({ sound: 'none' })).facts.hasAudio, false)
    const many = await probed({ soundTracks: 9 })
    assert.deepEqual([many.hasVideo, many.facts.audioTracks?.length], [true, 8])
    const sound = join(directory, 'sound.mkv')
    await runFfmpeg(['-i', await testVideo(), '-vn', '-c', 'copy', sound])
    const { hasVideo, hasAudio, width } = await probe(sound)
    assert.deepEqual([hasVideo, hasAudio, width], [false, true, null])
  })

  test('tells colours of a high dynamic range by what the container says, and by the frames themselves', withVideos, async () => {
    for (const film of [
      { hdr: 'pq', container: 'mp4' },
      { hdr: 'hlg', container: 'ts' },
    ] as const)
      assert.equal((await probed({ codec: 'hevc', ...film })).facts.isHdr, true, film.hdr)
    assert.equal((await probed({ codec: 'hevc', bits: 10 })).facts.isHdr, false)
  })

  test('of a file without its index, of another container, and of noise says that it knows nothing', withVideos, async () => {
    const whole = await readFile(await testVideo({ seconds: 2 }))
    const indexless = await probe(await save(directory, 'indexless.mp4', whole.subarray(0, whole.length / 2)))
    assert.deepEqual([indexless.hasVideo, indexless.hasAudio, indexless.facts.seconds], [false, false, null])
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'),
      await images['plain.jpg'](),
      Buffer.alloc(5_000, 7),
    ])
      await assert.rejects(probe(await save(directory, 'other', bytes)), ToolFailed)
  })

  test('of a film for which it had no processor says that it is busy, and probes it the next time', withVideos, async () => {
    const film = await testVideo()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    withNextProcess((child) =>
      setImmediate(() => {
        process.kill(child.pid!, 'SIGSTOP')
        vi.advanceTimersByTime(79_999)
        assert.equal(child.killed, false)
        vi.advanceTimersByTime(201)
      }),
    )
    await assert.rejects(probe(film), ToolBusy)
    assert.equal((await probe(film)).facts.audioCodec, 'aac')
  })
})
