import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { openEncoder } from '../../../infra/local/transcoding/encoder.ts'
import { startTranscoding } from '../../../infra/local/transcoding/transcoding.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { videoJob } from '../../../shared/library/videos/job.ts'
import { videoKey } from '../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { testVideo, withVideos } from '../../support/videos.ts'
import { type TranscoderUnderTest, transcoderContract } from './contract.ts'

const video = async () => readFile(await testVideo())

/** Jobs in a file, and what runs them in the server of one machine. */
async function open(): Promise<TranscoderUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const temporaryDirectory = join(directory, 'temporary')
  mkdirSync(temporaryDirectory)
  const clock = systemClock
  const embedded = await openEmbeddedBackend({ directory, clock, baseUrl: 'http://127.0.0.1:1', mailSender: 'a@example.com' })
  const { transcoder, media, publicFiles, table } = embedded
  const running = startTranscoding(embedded, { encode: openEncoder(), clock, log: jsonLog(() => undefined), temporaryDirectory })
  /** Videos need a record to be told of. */
  const start: typeof transcoder.start = async (job) => {
    const { companyId, mediaId } = job
    await table.put({ ...videoKey(mediaId), companyId, mediaId })
    return transcoder.start(job)
  }
  return {
    transcoder: { ...transcoder, start },
    media,
    publicFiles,
    async told() {
      const jobs = await listJobs({ table }, [videoJob.name], {})
      for (const { pk, sk } of jobs) await table.delete({ pk, sk })
      return jobs.map(({ companyId, subject }) => ({ companyId, mediaId: toMediaId(Number(subject)) }))
    },
    async close() {
      await running.stop()
      await embedded.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe('with ffmpeg', withVideos, () => transcoderContract('embedded', open, video))
