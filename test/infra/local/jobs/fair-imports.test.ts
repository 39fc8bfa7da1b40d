import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'vitest'
import { startJobs } from '../../../../functions/events/start-jobs.ts'
import { job } from '../../../../shared/events/consumer.ts'
import { listJobs } from '../../../../shared/library/jobs/operator.ts'
import { askForImport, importJob } from '../../../../shared/library/media/import-job.ts'
import { toCompanyId, toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { by } from '../../../support/library.ts'
import { until } from '../../../support/until.ts'
import { Background } from './background.ts'

const AT_A_TIME = 2
const OF_MANY = 1_000

let background: Background
beforeEach(async () => {
  background = await Background.create()
})
afterEach(() => background.remove())

it('imports a file of one company next, while a thousand of another one wait', async () => {
  const imported: number[] = []
  const gate = Promise.withResolvers<void>()
  const importMedia = job({
    kind: importJob,
    summary: 'Notes what it would import',
    uses: {},
    seconds: 60,
    runs: AT_A_TIME,
    async run({ input: { mediaId } }) {
      await gate.promise
      imported.push(mediaId)
      return undefined
    },
  })
  const { table } = await background.start({ 'start-jobs': startJobs, [importJob.name]: importMedia })
  const library = { table, clock: background.clock, by }
  const ask = (companyId: number, mediaId: number) =>
    askForImport(library, { companyId: toCompanyId(companyId), mediaId: toMediaId(mediaId) })
  const running = async () => (await listJobs(library, [importJob.name], { state: 'running' })).length
  for (let from = 0; from < OF_MANY; from += 100) {
    await table.transact(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`file ${n}`, ask(1, from + n + 1)])))
  }
  await until(async () => (await running()) === AT_A_TIME)
  await table.transact({ file: ask(2, OF_MANY + 1) })
  gate.resolve()
  await until(() => imported.includes(OF_MANY + 1))
  // Those that ran when it came, and the turn of the other company.
  assert.ok(imported.indexOf(OF_MANY + 1) <= 2 * AT_A_TIME, `after ${imported.indexOf(OF_MANY + 1)} of ${OF_MANY}`)
})
