import { type Command, Option } from 'commander'
import { getJob, type JobRecord, jobIdIn, kindIn } from '../../../shared/library/jobs/job.ts'
import { cancelJob, listJobs, retryJob } from '../../../shared/library/jobs/operator.ts'
import { type JobState, stateOf, states, timeIn } from '../../../shared/library/jobs/states.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { JobTable } from '../../../shared/runtime/consumer.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, type CommandLibrary, noun, verb } from '../command.ts'
import { textTable } from '../text-table.ts'
import { companyId } from '../values.ts'

interface ListOptions {
  state?: JobState
  kind?: string
  company?: CompanyId
}

/** `jobs list`, `jobs show`, `jobs retry`, `jobs cancel` */
export function jobCommands(program: Command, console: Console): void {
  const jobs = noun(program, 'jobs', 'work that goes on behind requests')

  verb(jobs, 'list', 'list jobs that are not done, failed ones first', [
    'jobs list',
    'jobs list --state failed --json --stack media-library',
  ])
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--kind <name>', 'only those of this kind, like suggest-keywords')
    .option('--company <id>', 'only those of this company', companyId)
    .addHelpText('after', HELP)
    .action(
      act<ListOptions>(console, async (library, { state, kind, company }) => {
        const kinds = kind === undefined ? Object.keys(await jobTable()) : [kind]
        const listed = await listJobs(library, kinds, { state, companyId: company })
        const json = listed.map(shown)
        const now = library.clock.now()
        const rows = listed.map((record, index) => {
          const { job, company_id, state, attempts, due, error } = json[index]!
          return [job, company_id, state, ageOf(now - record.askedAt), attempts, due, error ?? '']
        })
        const table = textTable(['JOB', 'COMPANY', 'STATE', 'AGE', 'ATTEMPTS', 'DUE (UTC)', 'LAST ERROR'], rows)
        return { json, text: json.length === 0 ? 'No job waits, runs or failed.' : table }
      }),
    )

  const one = (
    name: string,
    description: string,
    work: (library: CommandLibrary, jobId: string) => Promise<JobRecord | undefined>,
    none: string,
  ) =>
    verb(jobs, name, description, [`jobs ${name} suggest-keywords.4711`])
      .argument('<job>', 'as "jobs list" names it')
      .action(
        act(console, async (library, _, [jobId = '']) => {
          const job = await work(library, jobId)
          if (!job) throw new Error(`${none}: ${jobId}.`)
          const json = shown(job)
          return {
            json,
            text: Object.entries(json)
              .map(([key, value]) => `${key}: ${value ?? ''}`)
              .join('\n'),
          }
        }),
      )
  one('show', 'show one job', getJob, 'There is no such job')
  one('retry', 'let a job run at once, with all its attempts', retryJob, 'There is no such job, or it runs')
  one('cancel', 'end a job that is not done: what it has done stays', cancel, 'There is no such job')
}

/** All kinds, by name. Loaded on demand, because it loads the code of all jobs. */
async function jobTable(): Promise<JobTable> {
  return (await import('../../../functions/jobs.ts')).jobs
}

async function cancel(library: CommandLibrary, jobId: string): Promise<JobRecord | undefined> {
  return cancelJob(library, jobId, (await jobTable())[kindIn(jobId)]?.cancelled)
}

function shown(job: JobRecord) {
  const { kind, subject, companyId, attempts, askedAt, lastError, by, trace, done, total } = job
  return {
    ...{ job: jobIdIn(job), kind, subject, company_id: companyId, state: stateOf(job), attempts, due: timestamp(timeIn(job)) },
    ...{ asked: timestamp(askedAt), error: lastError ?? null, request_id: trace?.id ?? ('requestId' in by ? by.requestId : null) },
    ...(total !== undefined && { done: done ?? 0, total }),
  }
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Age in its largest unit. @param age milliseconds */
function ageOf(age: number): string {
  const [unit, ms] = UNITS.find(([, ms]) => age >= ms) ?? ['s', 1_000]
  return `${Math.max(0, Math.floor(age / ms))} ${unit}`
}

const HELP = `
STATE is "waiting" (for a run), "later" (until DUE), "running" (a run has it until DUE, if it doesn't renew that), or "failed" (tried nine
times within a quarter of an hour; tried again every hour, next at DUE).`
