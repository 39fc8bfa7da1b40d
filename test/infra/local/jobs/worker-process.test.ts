import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { workerPool } from '../../../../infra/local/jobs/worker-pool.ts'
import { WorkerProcess } from '../../../../infra/local/jobs/worker-process.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { queueConsumer } from '../../../../shared/events/consumer.ts'
import { Background } from './background.ts'

/** Name and time-out are all that the server's side of a worker needs to know. */
const consumer = (name: string, timeoutSeconds = 60) => ({
  ...queueConsumer({ summary: '', trigger: { queue: 'imports' }, uses: {}, timeoutSeconds, tools: ['sharp'], async handle() {} }),
  name,
})

const by = { kind: 'job', job: 'import-media', run: '1' } as const
const noSuchMedia = { message: { mediaId: 1 }, receives: 1, lastTry: false, by }

describe('a worker process', { timeout: 60_000 }, () => {
  let background: Background
  beforeAll(async () => {
    background = await Background.create()
  })
  afterAll(() => background.remove())

  it('does one job after the other and ends when it is dismissed', async () => {
    const worker = new WorkerProcess(background.setup, systemClock)
    await worker.run(consumer('import-media'), noSuchMedia)
    await worker.run(consumer('import-media'), noSuchMedia)
    worker.dismiss()
    await worker.ended
    assert.ok(worker.isGone)
  })

  it('reports what a consumer throws and lives on', async () => {
    const worker = new WorkerProcess(background.setup, systemClock)
    await assert.rejects(worker.run(consumer('no-such-consumer'), { by }), { message: 'there is no consumer no-such-consumer' })
    await worker.run(consumer('import-media'), noSuchMedia)
    worker.kill()
    await worker.ended
  })

  it('fails the job when the process dies', async () => {
    const worker = new WorkerProcess(background.setup, systemClock)
    const job = worker.run(consumer('import-media'), noSuchMedia)
    worker.kill()
    await assert.rejects(job, { name: 'WorkerDied' })
  })

  it('is killed when a job takes too long', async () => {
    const worker = new WorkerProcess(background.setup, systemClock)
    await assert.rejects(worker.run(consumer('import-media', 0.01), noSuchMedia), { name: 'JobTimedOut' })
    await worker.ended
  })

  it('is replaced in its pool once it is gone, and the pool ends them all', async () => {
    const pool = workerPool(background.setup, systemClock, 2)
    await assert.rejects(pool.run(consumer('import-media', 0.01), noSuchMedia), { name: 'JobTimedOut' })
    await Promise.all([1, 2, 3].map(() => pool.run(consumer('import-media'), noSuchMedia)))
    await pool.close()
  })
})
