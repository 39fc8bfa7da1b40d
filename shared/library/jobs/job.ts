import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, Table, TableReader, Value } from '../../backends/table/port.ts'
import { currentTrace, type Trace } from '../../log/trace.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import type { Due } from '../due.ts'
import type { Lease } from './lease.ts'
import { placeAfter } from './states.ts'

export interface Jobs {
  table: Table
  clock: Clock
}

/** The record of a job, which is deleted when it is done. Its place in the index of due records is its state (states.ts). */
export type JobRecord = Key &
  Due &
  Partial<Lease> & {
    /** Name of the kind: `suggest-keywords`. */
    kind: string
    /** What the job works on. A kind has one job per subject. */
    subject: string
    /** 0 for jobs of no company. Companies take turns. */
    companyId: CompanyId
    input: Value
    /** Whether it lets all other waiting jobs of its kind and company go first. */
    yields?: true
    /** Counts the requests for the job. A job that is requested while it runs runs again. */
    asked: number
    /** Time of the last request for the job, in UNIX milliseconds. */
    askedAt: number
    /** Earliest time of the next run, in UNIX milliseconds. Absent once a run has begun. */
    notBefore?: number
    /** Runs since the last request or progress, the current one included. */
    attempts: number
    /** Consecutive runs that were cut off, since the last request. */
    cutOff?: number
    /** The cursor of the next run. */
    cursor?: Value
    /** Progress, and its end. */
    done?: number
    total?: number
    /** The error of the last run. */
    lastError?: string
    /** Who requested it. */
    by: Actor
    /** The request that caused it, if any. */
    trace?: Trace
  }

/** A job that a run has claimed. */
export type Claimed = JobRecord & Lease

/** Prefix of jobs' partition keys. */
export const JOB_RECORDS = 'JOB#'

/** The id of a job: `suggest-keywords.4711`. Names of kinds contain no dot. */
export const jobIdOf = ({ kind, subject }: Pick<JobRecord, 'kind' | 'subject'>): string => `${kind}.${subject}`

/** The kind in a job's id. */
export const kindIn = (jobId: string): string => jobId.split('.', 1)[0]!

/** @param jobId from `jobIdOf` */
export const jobKey = (jobId: string): Key => ({ pk: `${JOB_RECORDS}${jobId}`, sk: 'JOB' })

/** The id in a job's key. */
export const jobIdIn = ({ pk }: Pick<Key, 'pk'>): string => pk.slice(JOB_RECORDS.length)

/** Whether a key is that of a job of a kind; true without a kind. */
export const isOfKind = (key: Pick<Key, 'pk'>, kind: string | undefined): boolean => kind === undefined || kindIn(jobIdIn(key)) === kind

/** The attributes of a job's progress. */
export const PROGRESS = ['cursor', 'done', 'total'] as const

/** A use case's request for a job. */
export interface Wanted<Input> {
  companyId: CompanyId
  /** ASCII, at most 200 characters. A random one makes a separate job. */
  subject: string
  input: Input
  /** Earliest run in UNIX milliseconds; at once by default. */
  at?: number
  /** Whether it lets all other waiting jobs of its kind and company go first. */
  yields?: boolean
}

type Update = Extract<Operation, { update: Key }>

/**
 * A kind of job. The library declares it beside the use cases that request it; the file with its name in `functions/jobs/` implements it.
 */
export class JobKind<Input extends Value> {
  readonly name: string

  /** @param name name of its file in `functions/jobs/` */
  constructor(name: string) {
    this.name = name
  }

  /** The job of a subject. @returns undefined if it is done, was cancelled, or never existed */
  find(library: { table: TableReader }, subject: string): Promise<JobRecord | undefined> {
    return getJob(library, jobIdOf({ kind: this.name, subject }))
  }

  /** The write that drops a job which nobody needs any more. A run that has it can note nothing more of it. */
  drop(subject: string): Operation {
    return { delete: jobKey(jobIdOf({ kind: this.name, subject })) }
  }

  /**
   * The operation that requests a job, for the transaction that makes it necessary. A waiting job of the subject gets the new input; a
   * running one runs again afterwards.
   */
  ask({ clock, by }: { clock: Clock; by: Actor }, { companyId, subject, input, at = 0, yields }: Wanted<Input>): Update {
    const kind = this.name
    const now = clock.now()
    const isLater = at > now
    const trace = currentTrace()
    const due = placeAfter({ kind, companyId, yields }, at, now)
    return {
      update: jobKey(jobIdOf({ kind, subject })),
      changes: {
        set: {
          kind,
          subject,
          companyId,
          input,
          askedAt: now,
          attempts: 0,
          by,
          ...due,
          ...(yields && { yields }),
          ...(isLater && { notBefore: at }),
          ...(trace && { trace }),
        },
        remove: [
          ...PROGRESS,
          'lastError',
          'cutOff',
          ...(yields ? [] : ['yields']),
          ...(isLater ? [] : ['notBefore']),
          ...(trace ? [] : ['trace']),
        ],
        add: { asked: 1 },
      },
    }
  }
}

/** @returns undefined if the job is done, was cancelled, or never existed */
export async function getJob({ table }: { table: TableReader }, jobId: string): Promise<JobRecord | undefined> {
  return table.get<JobRecord>(jobKey(jobId))
}
