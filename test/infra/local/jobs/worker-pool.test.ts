import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { afterAll, afterEach, beforeEach, describe, it } from 'vitest'
import { type WorkerPool, workerPool } from '../../../../infra/local/jobs/worker-pool.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { type Claimed, JobKind, jobKey } from '../../../../shared/library/jobs/job.ts'
import { runningUntil } from '../../../../shared/library/jobs/states.ts'
import { job } from '../../../../shared/runtime/consumer.ts'
import { toCompanyId } from '../../../../shared/vocabulary/ids.ts'
import { Background } from './background.ts'

/** Name and time-out are all that the server's side of a worker needs to know. */
const consumer = (name: string, timeoutSeconds = 60) => ({
  ...job({ kind: new JobKind(name), summary: '', uses: { exiftool: 'use' }, seconds: timeoutSeconds, run: async () => undefined }),
  name,
})

const by = { kind: 'job', job: 'import-media', run: '1' } as const
const kind = 'import-media'
const claimed: Claimed = {
  ...{ ...jobKey(`${kind}.1`), kind, subject: '1', companyId: toCompanyId(1), input: { mediaId: 1 } },
  ...{ ...runningUntil(0), owner: 'test', leaseEnd: 0, token: 1, asked: 1, askedAt: 0, attempts: 1, by },
}
const noSuchMedia = { job: claimed, by }

describe('worker processes', () => {
  const background = new Background(afterAll)
  let pool: WorkerPool
  beforeEach(() => {
    pool = workerPool(background.setup, systemClock, 2)
  })
  afterEach(() => pool.close())

  it('do one job after the other', async () => {
    for (let job = 0; job < 5; job++) await pool.run(consumer('import-media'), noSuchMedia)
    await Promise.all([1, 2, 3].map(() => pool.run(consumer('import-media'), noSuchMedia)))
  })

  it.skipIf(process.platform !== 'linux')('give way to requests: their priority is below the one of the server', async () => {
    await pool.run(consumer('import-media'), noSuchMedia)
    const threads = readdirSync('/proc/self/task')
    const children = threads.flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '))
    const isWorker = (pid: string) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/jobs/worker.ts')
    const workers = children.filter(isWorker).map(Number)
    assert.ok(workers.length > 0)
    for (const worker of workers) assert.ok(getPriority(worker) >= constants.priority.PRIORITY_LOW)
  })

  it('report what a consumer throws and live on', async () => {
    await assert.rejects(pool.run(consumer('no-such-consumer'), { by }), { message: 'there is no consumer no-such-consumer' })
    await pool.run(consumer('import-media'), noSuchMedia)
  })

  it('are killed when a job takes too long, and replaced', async () => {
    await assert.rejects(pool.run(consumer('import-media', 0.01), noSuchMedia), { name: 'JobTimedOut' })
    await pool.run(consumer('import-media'), noSuchMedia)
  })

  it('fail their jobs when they die', async () => {
    const job = assert.rejects(pool.run(consumer('import-media'), noSuchMedia), { name: 'WorkerDied' })
    await new Promise((resolve) => setImmediate(resolve))
    await pool.close()
    await job
  })
})
