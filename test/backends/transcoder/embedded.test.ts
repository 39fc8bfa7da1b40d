import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { openEncoder } from '../../../infra/local/transcoding/encoder.ts'
import { startTranscoding } from '../../../infra/local/transcoding/transcoding.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { testVideo, withVideos } from '../../support/videos.ts'
import { type TranscoderUnderTest, transcoderContract } from './contract.ts'

const video = async () => readFile(await testVideo({ seconds: 3 }))

/** Jobs in a file, and what runs them in the server of one machine. */
async function open(): Promise<TranscoderUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const temporaryDirectory = join(directory, 'temporary')
  mkdirSync(temporaryDirectory)
  const clock = systemClock
  const embedded = await openEmbeddedBackend({ directory, clock, baseUrl: 'http://127.0.0.1:1', mailSender: 'a@example.com' })
  const { transcoder, media, publicFiles, queues } = embedded
  const running = startTranscoding(embedded, { encode: openEncoder(), log: jsonLog(() => undefined), temporaryDirectory })
  const encodings = queues.queue('encodings')
  return {
    transcoder,
    media,
    publicFiles,
    async told() {
      const deliveries = await encodings.receive(10, { waitSeconds: 1 })
      for (const { receipt } of deliveries) await encodings.delete(receipt)
      return deliveries.map(({ message }) => message).filter((message) => 'companyId' in message)
    },
    async close() {
      await running.stop()
      await embedded.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe('with ffmpeg', withVideos, () => transcoderContract('embedded', open, video))
