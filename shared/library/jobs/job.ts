import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, Table, TableReader, Value } from '../../backends/table/port.ts'
import { currentTrace, type Trace } from '../../log/trace.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import type { Due } from '../due.ts'
import type { Lease } from './lease.ts'
import { placeAfter } from './states.ts'

/** The resources of the jobs' runtime. */
export interface Jobs {
  table: Table
  clock: Clock
}

/** A job as the table holds it until it is done. Its place in the index of due records is its state (states.ts). */
export type JobRecord = Key &
  Due &
  Partial<Lease> & {
    /** Name of its kind: `suggest-keywords`. */
    kind: string
    /** The subject of its work. A kind has one job of each. */
    subject: string
    /** 0 where it is of no company. Companies take turns. */
    companyId: CompanyId
    input: Value
    /** Whether it waits until no other job of its kind and company does. */
    yields?: true
    /** Counts the use cases that asked for it: a job that is asked for while it runs runs again. */
    asked: number
    /** When it was last asked for, in UNIX milliseconds. */
    askedAt: number
    /** Before which the next run does not begin, in UNIX milliseconds. Absent once a run has begun. */
    notBefore?: number
    /** Runs since it was asked for or made progress, the present one included. */
    attempts: number
    /** Runs in a row that were cut off, since it was asked for. */
    cutOff?: number
    /** The cursor of the next run. */
    cursor?: Value
    /** How far it is, and of how much. */
    done?: number
    total?: number
    /** The error of the last run. */
    lastError?: string
    /** Who asked for it. */
    by: Actor
    /** The request that it follows from. Absent where none asked for it. */
    trace?: Trace
  }

/** A job that a run has. */
export type Claimed = JobRecord & Lease

/** Partition keys of the records of jobs begin so. */
export const JOB_RECORDS = 'JOB#'

/** The name of a job: `suggest-keywords.4711`. Names of kinds hold no dot. */
export const jobIdOf = ({ kind, subject }: Pick<JobRecord, 'kind' | 'subject'>): string => `${kind}.${subject}`

/** The kind of a job, by its name. */
export const kindIn = (jobId: string): string => jobId.split('.', 1)[0]!

/** @param jobId as `jobIdOf` makes it */
export const jobKey = (jobId: string): Key => ({ pk: `${JOB_RECORDS}${jobId}`, sk: 'JOB' })

/** The id of a job, by its key. */
export const jobIdIn = ({ pk }: Pick<Key, 'pk'>): string => pk.slice(JOB_RECORDS.length)

/** Whether a job is of a kind, by its key. Each is where none is given. */
export const isOfKind = (key: Pick<Key, 'pk'>, kind: string | undefined): boolean => kind === undefined || kindIn(jobIdIn(key)) === kind

/** The attributes of a record that say how far the job is. */
export const PROGRESS = ['cursor', 'done', 'total'] as const

/** A use case's request for a job. */
export interface Wanted<Input> {
  companyId: CompanyId
  /** ASCII, at most 200 characters. A random one makes a job of its own. */
  subject: string
  input: Input
  /** UNIX milliseconds before which it does not run; at once by default. */
  at?: number
  /** Whether it waits until no other job of its kind and company does. */
  yields?: boolean
}

type Update = Extract<Operation, { update: Key }>

/** A kind of job. The library declares it beside the use cases that want it; `functions/jobs/` has a file of its name that does it. */
export class JobKind<Input extends Value> {
  readonly name: string

  /** @param name that of its file in `functions/jobs/` */
  constructor(name: string) {
    this.name = name
  }

  /** The job of a subject. @returns undefined where it is done, was cancelled, or never was */
  find(library: { table: TableReader }, subject: string): Promise<JobRecord | undefined> {
    return getJob(library, jobIdOf({ kind: this.name, subject }))
  }

  /**
   * The write that asks for a job: a step of the transaction that makes it necessary. A job of the subject that waits takes the new input, one that
   * runs will run again.
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

/** @returns undefined where the job is done, was cancelled, or never was */
export async function getJob({ table }: { table: TableReader }, jobId: string): Promise<JobRecord | undefined> {
  return table.get<JobRecord>(jobKey(jobId))
}
