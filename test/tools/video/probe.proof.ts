import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterAll, describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { mutate } from '../../support/damaged-file.ts'
import { u32 } from '../../support/pictures/bytes.ts'
import { save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

const probe = createVideoProbe()

describe('the probe of videos', () => {
  const directory = temporaryDirectory(afterAll)

  test('an index that is larger than any film needs, and one that fills its memory, are the fault of the file', withVideos, async () => {
    const film = await readFile(await testVideo({ sound: 'none' }))
    const times = (entries: number) => Buffer.concat([Buffer.from([0, 0, 0, 0]), u32(entries), Buffer.alloc(entries * 8, 1)])
    const large = await save(directory, 'large.mp4', withBox(film, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts'], times(20_000_000)))
    const { width, facts } = await probe(large)
    assert.deepEqual([width, facts.seconds, facts.videoCodec], [320, null, null], 'its frames say their size')
    const filling = await save(directory, 'filling.mp4', withBox(film, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts'], times(15_000_000)))
    await assert.rejects(probe(filling), ToolFailed)
  })

  test('of damaged films knows something or nothing, and says so soon', withVideos, async () => {
    const films: TestVideo[] = [
      ...(['mp4', 'mkv', 'ts', 'flv'] as const).map((container) => ({ container })),
      ...(['mpg', 'mxf', 'ts'] as const).map((container) => ({ container, codec: 'mpeg2video' as const })),
      ...[
        { container: 'avi', codec: 'mpeg4' } as const,
        { container: 'wmv', codec: 'wmv2' } as const,
        { container: 'ogv', codec: 'theora' } as const,
      ],
      { container: 'dv', codec: 'dvvideo', width: 720, height: 576, seconds: 0.2, sound: 'none' },
    ]
    for (const made of films) {
      const { container } = made
      const film = await readFile(await testVideo(made))
      for (let seed = 1; seed <= 15; seed++) {
        const damaged = await save(directory, `${seed}.${container}`, mutate(film, seed))
        await probe(damaged).catch((error: unknown) => assert.ok(error instanceof ToolFailed, `${container} ${seed}: ${error}`))
      }
    }
  })
})

/** The file with other contents of a box: the first one below the path. */
function withBox(boxes: Buffer, [name, ...below]: string[], contents: Buffer): Buffer {
  const start = boxes.indexOf(name!) - 4
  const end = start + boxes.readUInt32BE(start)
  const inside = below.length > 0 ? withBox(boxes.subarray(start + 8, end), below, contents) : contents
  return Buffer.concat([boxes.subarray(0, start), u32(inside.length + 8), Buffer.from(name!), inside, boxes.subarray(end)])
}
