import { companySweepJob, sweepCompany as sweep } from '../../shared/library/versions/sweep-company.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const sweepCompany = job({
  kind: companySweepJob,
  group: 'short-jobs',
  summary: 'Has all files of a company swept that have had more numbers than it keeps from now on',
  uses: { table: 'write' },
  seconds: 60,
  run: ({ companyId, job, ...library }) => sweep(library, companyId, job, 30_000),
})
