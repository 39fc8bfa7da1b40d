import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'vitest'
import { startJobs } from '../../../../functions/events/start-jobs.ts'
import { queueConsumer } from '../../../../shared/events/consumer.ts'
import { mediaKey } from '../../../../shared/library/media/keys.ts'
import { toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { puts } from '../../../support/puts.ts'
import { Background, until } from './background.ts'

const AT_A_TIME = 2
const OF_MANY = 1_000

let background: Background
beforeEach(async () => {
  background = await Background.create()
})
afterEach(() => background.remove())

/** An uploaded file, as far as events tell of it. */
const uploaded = (companyId: number, mediaId: number) => ({ ...mediaKey(toMediaId(mediaId)), companyId, mediaId, state: 'importing' })

it('imports a file of one company next, while a thousand of another one wait', async () => {
  const imported: number[] = []
  const gate = Promise.withResolvers<void>()
  const importMedia = queueConsumer({
    summary: 'Notes what it would import',
    trigger: { queue: 'imports', concurrency: AT_A_TIME },
    uses: {},
    timeoutSeconds: 60,
    async handle({ message }) {
      await gate.promise
      imported.push(message.mediaId)
    },
  })
  const { table, queues } = await background.start({ 'start-jobs': startJobs, 'import-media': importMedia })
  const many = Array.from({ length: OF_MANY }, (_, n) => uploaded(1, n + 1))
  for (let from = 0; from < OF_MANY; from += 100) await table.transact(puts(many.slice(from, from + 100)))
  await until(() => queues.depth('imports').waiting === OF_MANY)
  await table.put(uploaded(2, OF_MANY + 1))
  await until(() => queues.depth('imports').waiting === OF_MANY + 1)
  gate.resolve()
  await until(() => imported.includes(OF_MANY + 1))
  // Those that ran when it came, and the turn of the other company.
  assert.ok(imported.indexOf(OF_MANY + 1) <= 2 * AT_A_TIME, `after ${imported.indexOf(OF_MANY + 1)} of ${OF_MANY}`)
})
