import assert from 'node:assert/strict'
import { test } from 'vitest'
import { librarySummary } from '../../../../infra/local/backend/summary.ts'
import { claimNext } from '../../../../shared/library/jobs/claim.ts'
import { jobKey } from '../../../../shared/library/jobs/job.ts'
import { failAttempt } from '../../../../shared/library/jobs/run.ts'
import { suggestionJob } from '../../../../shared/library/media/suggestions.ts'
import { toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, openTestTable } from '../../../support/library.ts'

test('the line of a start counts jobs that wait, and those that failed', async () => {
  const { table, clock } = openTestTable()
  const { companyId } = await openTestCompany({ table, clock, by })
  for (const id of [1, 2]) {
    await table.transact({ job: suggestionJob.ask({ clock, by }, { companyId, subject: String(id), input: { mediaId: toMediaId(id) } }) })
  }
  await table.update(jobKey('suggest-keywords.1'), { set: { attempts: 8 } })
  await failAttempt({ table, clock }, (await claimNext({ table, clock }, suggestionJob.name, undefined, 60_000))!, new Error('away'))
  assert.match((await librarySummary({ table }, [suggestionJob.name]))!, /, 0 files, 1 job waiting, 1 failed job to be tried again$/)
})
