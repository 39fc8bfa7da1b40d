import type { Clock } from '../backends/clock/port.ts'
import type { Value } from '../backends/table/port.ts'
import { within } from '../deadline.ts'
import { type JobActor, requestOf } from '../library/actor.ts'
import type { EventName } from '../library/events/domain-events.ts'
import type { DeliveredEvent, Failed } from '../library/events/failed-event.ts'
import { type Claimed, type JobKind, jobIdIn } from '../library/jobs/job.ts'
import { LeaseLost } from '../library/jobs/lease.ts'
import type { Cancelled } from '../library/jobs/operator.ts'
import { ATTEMPTS } from '../library/jobs/retries.ts'
import { type Again, type JobInHand, jobInHand } from '../library/jobs/run.ts'
import type { Log } from '../log/log.ts'
import { traced } from '../log/trace.ts'
import type { Granted, Uses } from '../resources.ts'
import type { Settings } from '../settings.ts'
import type { CompanyId } from '../vocabulary/ids.ts'
import type { OriginAnswer, OriginRequest } from './origin.ts'

/** The context of every function that no HTTP call starts. */
export interface EventContext {
  clock: Clock
  settings: Settings
  log: Log
}

/** The input of a function besides the event that started it. */
interface Run extends EventContext {
  /** Makes the changes of this run. */
  by: JobActor
}

/** The common part of all functions that no HTTP call starts. */
interface Function_<U extends Uses> {
  summary: string
  uses: U
  /** Seconds until it is cut off, at most 900. */
  timeoutSeconds: number
  memoryMb?: number
  /** Space for temporary files in MB; default 512. */
  temporaryMb?: number
}

/** Services of AWS that tell what has happened: ends of encodings, e-mails that failed. */
export type TellingService = 'transcoder' | 'mail'

/**
 * Consumes what services of AWS tell, one message at a time, as EventBridge has it. Throwing has it told again after one and two minutes; then it is a
 * dead letter. One machine has no such services.
 */
export interface ServiceConsumer<U extends Uses = Uses> extends Function_<U> {
  trigger: { services: readonly TellingService[] }
  handle(event: { message: unknown } & Run & Granted<U>): Promise<void>
}

/**
 * Consumes domain events, as the table's change stream tells of them, up to a hundred changes at a time. It may get them again. `parallelism`: so many
 * batches of different records may be handled at the same time (at most ten; default 1).
 */
export interface BatchConsumer<U extends Uses = Uses, Name extends EventName = EventName> extends Function_<U> {
  trigger: { batchesOf: readonly Name[]; parallelism?: number }
  /** The kind of the jobs that do again what it fails on. */
  repeatedBy: JobKind<Failed>
  /** @returns the events that failed. Throwing says that all did */
  handle(event: { events: readonly DeliveredEvent<Name>[] } & Run & Granted<U>): Promise<readonly DeliveredEvent[]>
}

/** Does jobs of a kind, one at a time: `run` says what a job does. */
export interface JobFunction<U extends Uses = Uses> extends Function_<U> {
  /**
   * `runs`: so many jobs at a time at most. `group`: kinds with the same share a function of a deployed service. `halfPerCompany`: one company has at
   * most half of the runs.
   */
  trigger: { job: string; runs: number; group: string; halfPerCompany: boolean }
  handle(event: { job: Claimed } & Run & Granted<U>): Promise<Again | undefined>
  cancelled?: Cancelled
}

/** What a run of a job gets. */
type JobRun<U extends Uses, Input extends Value> = { input: Input; companyId: CompanyId; job: JobInHand } & Run & Granted<U>

/**
 * Groups of kinds. The kinds of one share a function of a deployed service: its rights, its memory, and as many runs at a time as the kind with the
 * most may have. functions/jobs/README.md says which kind belongs where.
 */
export type JobGroupName = 'short-jobs' | 'long-jobs' | 'webhook-jobs'

/** A kind of job, as its file declares it. */
interface JobDefinition<U extends Uses, Input extends Value> extends Omit<Function_<U>, 'timeoutSeconds'> {
  kind: JobKind<Input>
  /** Seconds after which a run is cut off, at most 900. */
  seconds: number
  /** Runs at a time, at most; default 2. */
  runs?: number
  /** Whether a company has at most half of the runs: where servers that it names decide how long its runs take. */
  halfPerCompany?: boolean
  /** The kinds with which it shares a function; none by default. */
  group?: JobGroupName
  /**
   * Does the job, or a slice of it: then it says that the job runs again. Any number of times, after a crash too. Throwing says that this run failed: the
   * job is tried again after a pause, for a quarter of an hour, then every hour.
   */
  run(event: JobRun<U, Input>): Promise<Again | undefined>
  /**
   * The job counts as failed: who waits for it learns that. Called after the failure of its last attempt, and of each further one; where that was cut
   * off, at the beginning of the next.
   */
  failed?(library: JobRun<U, Input>, input: Input, error: unknown): Promise<void>
  /** The writes that go along when an operator cancels the job: who asked for it learns that it ends. */
  cancelled?: Cancelled<Input>
}

/** Runs by the clock. */
export interface Schedule<U extends Uses = Uses> extends Function_<U> {
  trigger: { everyMinutes: number }
  handle(event: Run & Granted<U>): Promise<void>
}

/** Answers requests to the host of links that a copy in a bucket can't answer. It answers errors, too, and throws nothing. */
export interface OriginFunction<U extends Uses = Uses> extends Function_<U> {
  trigger: { origin: 'links' }
  handle(event: { request: OriginRequest } & EventContext & Granted<U>): Promise<OriginAnswer>
}

// biome-ignore lint/suspicious/noExplicitAny: consumers of different input stand in one table; the functions below have checked each.
type Erased<F, Result = void> = Omit<F, 'handle'> & { handle(event: any): Promise<Result> }

/** The function of a kind of job, as CDK and the runtime see it. */
export type Job = Erased<JobFunction, Again | undefined>

/** An origin as CDK and the local server see it. */
export type Origin = Erased<OriginFunction, OriginAnswer>

/** A consumer of batches as CDK and its handler see it. */
export type Batches = Erased<BatchConsumer, readonly DeliveredEvent[]>

/** A function that an event starts, as CDK and the local server see it. */
export type EventFunction = Job | Erased<ServiceConsumer> | Batches | Erased<Schedule> | Origin

/** The table of all of them, by name: a key names file, function and test alike (`import-media`). */
export type EventTable = Readonly<Record<string, EventFunction>>

/** The table of all kinds of jobs, by name. */
export type JobTable = Readonly<Record<string, Job>>

/** A function of the table with its name. */
export type NamedFunction<F extends Pick<EventFunction, 'trigger'> = EventFunction> = EventFunction & Pick<F, 'trigger'> & { name: string }

/** The input of a run of such a consumer. */
export type BatchInput = { events: readonly DeliveredEvent[]; by: JobActor }

/** A consumer of the table's stream, with its name. */
export type NamedBatches = Batches & { name: string }

export const isJob = (fn: NamedFunction): fn is NamedFunction<Job> => 'job' in fn.trigger

export function namedFunctions(table: EventTable): NamedFunction[] {
  return Object.entries(table).map(([name, declared]) => ({ ...declared, name }))
}

/** The actor of one run of a function. @param run id of the change that started it; of others its own */
export const actorOf = ({ name }: Pick<NamedFunction, 'name'>, run: string): JobActor => ({ kind: 'job', job: name, run })

/** The actor of one run of a job: the job, with the request from which it follows. */
export const jobActor = (declared: Pick<NamedFunction, 'name'>, job: Claimed): JobActor => ({
  ...actorOf(declared, jobIdIn(job)),
  ...requestOf(job.by),
})

/** Declares a consumer of what services tell. */
export function serviceConsumer<const U extends Uses>(definition: ServiceConsumer<U>): ServiceConsumer<U> {
  return definition
}

/** Milliseconds of each second of a job that its run has. With the rest it ends by itself: a run that is cut off looks like a crash. */
const TIME_OF_RUN = 950

/** Declares the function of a kind of job. Its key in the table is the kind's name. */
export function job<const U extends Uses, Input extends Value>({
  kind,
  seconds,
  runs = 2,
  halfPerCompany = false,
  group,
  run,
  failed,
  cancelled,
  ...rest
}: JobDefinition<U, Input>): JobFunction<U> {
  return {
    ...rest,
    timeoutSeconds: seconds,
    trigger: { job: kind.name, runs, group: group ?? kind.name, halfPerCompany },
    ...(cancelled && { cancelled: cancelled as Cancelled }),
    async handle({ job, ...given }) {
      const event = { ...given, job: jobInHand(job), input: job.input, companyId: job.companyId }
      // On one machine it may run in another process than the one that has the job.
      return traced(job.trace, () =>
        within(seconds * TIME_OF_RUN, () => attempt(job, event as unknown as JobRun<U, Input>, { run, failed })),
      )
    },
  }
}

async function attempt<U extends Uses, Input extends Value>(
  job: Claimed,
  event: JobRun<U, Input>,
  { run, failed }: Pick<JobDefinition<U, Input>, 'run' | 'failed'>,
): Promise<Again | undefined> {
  const { input } = event
  if (job.attempts > ATTEMPTS) await failed?.(event, input, job.lastError)
  try {
    return await run(event)
  } catch (error) {
    // Another run says what becomes of a job that was lost.
    if (event.job.isLastAttempt && !(error instanceof LeaseLost)) await failed?.(event, input, error)
    throw error
  }
}

/** Declares a consumer of batches of changes. */
export function batchConsumer<const U extends Uses, const Name extends EventName>(
  definition: BatchConsumer<U, Name>,
): BatchConsumer<U, Name> {
  return definition
}

/** Declares a scheduled function. */
export function schedule<const U extends Uses>(definition: Schedule<U>): Schedule<U> {
  return definition
}

/** Declares an origin of the CDN. */
export function originFunction<const U extends Uses>(definition: OriginFunction<U>): OriginFunction<U> {
  return definition
}
