import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest'
import { ToolBusy, ToolFailed, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { createVideoProbe, type Probed } from '../../../shared/tools/video/probe.ts'
import { mutate } from '../../support/mutations.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { u32 } from '../../support/pictures/bytes.ts'
import { images, save } from '../../support/pictures/index.ts'
import { runFfmpeg, type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

const probe = createVideoProbe()
const probed = async (wanted: TestVideo = {}) => probe(await testVideo(wanted))
const sizeOf = ({ width, height }: Probed) => [width, height]

describe('the probe of videos', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'probe-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('tells duration, size, frame rate, codecs and sound of each container that it knows', withVideos, async () => {
    const films = [
      { container: 'mp4', codec: 'h264' },
      { container: 'mov', codec: 'prores' },
      { container: 'mkv', codec: 'hevc' },
      { container: 'webm', codec: 'vp9' },
      { container: 'ts', codec: 'h264' },
      { container: 'mkv', codec: 'mpeg4' },
    ] as const
    for (const film of films) {
      const { facts, ...known } = await probed({ ...film, seconds: 2 })
      assert.deepEqual(known, { hasVideo: true, hasAudio: true, width: 320, height: 180 }, film.container)
      assert.ok(Math.abs(facts.seconds! - 2) < 0.1, `${film.container}: ${facts.seconds} s`)
      const audioCodec = film.container === 'webm' ? 'opus' : 'aac'
      const audioTracks = [{ language: null, name: null, channels: 2, isDefault: !['mkv', 'webm'].includes(film.container) }]
      assert.deepEqual(
        { ...facts, seconds: 2 },
        { seconds: 2, frameRate: 25, videoCodec: film.codec, audioCodec, hasAudio: true, audioTracks, isHdr: false },
        film.container,
      )
    }
  })

  test('tells the size as it is shown, for all eight ways to turn and mirror, and of pixels that are no squares', withVideos, async () => {
    for (const rotation of [0, 90, 180, 270] as const)
      for (const mirrored of [false, true])
        assert.deepEqual(sizeOf(await probed({ rotation, mirrored })), rotation % 180 ? [180, 320] : [320, 180], `${rotation} ${mirrored}`)
    for (const container of ['mp4', 'mkv', 'ts'] as const)
      assert.deepEqual(sizeOf(await probed({ width: 720, height: 576, pixelShape: '64/45', container })), [1024, 576], container)
  })

  test(
    'tells the average frame rate: of fractions, of fast ones, of frames that are left out, of one in a second for hours',
    withVideos,
    async () => {
      const rateOf = async (film: TestVideo) => (await probed(film)).facts.frameRate
      assert.equal(await rateOf({ fps: 50 }), 50)
      const variable = await rateOf({ fps: 30, seconds: 4, isVariable: true })
      assert.ok(variable! > 15 && variable! < 20, `${variable} of 30, without four of ten`)
      const hours = await probed({ width: 64, height: 36, fps: 1, seconds: 36_000, sound: 'none' })
      assert.deepEqual([hours.facts.frameRate, hours.facts.seconds], [1, 36_000])
    },
  )

  test('tells that there is no sound, of 200 tracks the first, and that there is sound alone', withVideos, async () => {
    assert.deepEqual((await probed({ sound: 'none' })).facts.hasAudio, false)
    const many = await probed({ soundTracks: 200 })
    assert.deepEqual([many.hasVideo, many.facts.audioCodec, many.facts.seconds], [true, 'aac', 1])
    assert.equal(many.facts.audioTracks?.length, 8)
    const sound = join(directory, 'sound.mkv')
    await runFfmpeg(['-i', await testVideo(), '-vn', '-c', 'copy', sound])
    const { hasVideo, hasAudio, width } = await probe(sound)
    assert.deepEqual([hasVideo, hasAudio, width], [false, true, null])
  })

  test('tells colours of a high dynamic range by what the container says, and by the frames themselves', withVideos, async () => {
    for (const hdr of ['pq', 'hlg'] as const)
      for (const container of ['mp4', 'mkv', 'ts'] as const)
        assert.equal((await probed({ codec: 'hevc', hdr, container })).facts.isHdr, true, `${hdr} in ${container}`)
    assert.equal((await probed({ codec: 'hevc', bits: 10 })).facts.isHdr, false)
  })

  test('of a file whose data is cut off says what its index says', withVideos, async () => {
    const whole = await readFile(await testVideo({ seconds: 2, isFaststart: true }))
    const { facts, ...known } = await probe(await save(directory, 'cut.mp4', whole.subarray(0, whole.length / 2)))
    assert.deepEqual([known.width, facts.seconds, facts.videoCodec], [320, 2, 'h264'])
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

  test('an index that is larger than any film needs, and one that fills its memory, are the fault of the file', withVideos, async () => {
    const film = await readFile(await testVideo({ sound: 'none' }))
    const times = (entries: number) => Buffer.concat([Buffer.from([0, 0, 0, 0]), u32(entries), Buffer.alloc(entries * 8, 1)])
    const large = await save(directory, 'large.mp4', withBox(film, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts'], times(20_000_000)))
    await assert.rejects(probe(large), new ToolFailed("the video can't be probed: a part of it is too large"))
    const filling = await save(directory, 'filling.mp4', withBox(film, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts'], times(15_000_000)))
    await assert.rejects(probe(filling), ToolFailed)
  })

  test('of damaged films knows something or nothing, and says so soon', withVideos, async () => {
    for (const container of ['mp4', 'mkv', 'ts'] as const) {
      const film = await readFile(await testVideo({ container }))
      for (let seed = 1; seed <= 15; seed++) {
        const damaged = await save(directory, `${seed}.${container}`, mutate(film, seed))
        await probe(damaged).catch((error: unknown) => assert.ok(error instanceof ToolFailed, `${container} ${seed}: ${error}`))
      }
    }
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

  test('a file that is not there is no fault of a file', async () => {
    await assert.rejects(probe(join(directory, 'nothing')), ToolUnavailable)
  })
})

/** The file with other contents of a box: the first one below the path. */
function withBox(boxes: Buffer, [name, ...below]: string[], contents: Buffer): Buffer {
  const start = boxes.indexOf(name!) - 4
  const end = start + boxes.readUInt32BE(start)
  const inside = below.length > 0 ? withBox(boxes.subarray(start + 8, end), below, contents) : contents
  return Buffer.concat([boxes.subarray(0, start), u32(inside.length + 8), Buffer.from(name!), inside, boxes.subarray(end)])
}
