import type { Schemas } from '../client/client.ts'
import { untilDone } from '../client/until-done.ts'
import type { Session } from './command.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { Reported } from './reported.ts'

/** Most ids of one request. */
const MOST_NAMED = 10_000

/** Changes of many files, with a common count. */
export class Bulk {
  readonly #session: Session
  readonly #jobs: string[] = []
  /** Changed files so far. */
  changed = 0
  #unchanged = 0
  #failed = 0
  #isForbidden = false

  constructor(session: Session) {
    this.#session = session
  }

  /** Changes files by their ids. */
  async change(ids: readonly number[], change: Schemas['BulkChange']): Promise<void> {
    for (let from = 0; from < ids.length; from += MOST_NAMED) await this.begin({ ids: ids.slice(from, from + MOST_NAMED) }, change)
  }

  async begin(select: Schemas['BulkSelection'], change: Schemas['BulkChange']): Promise<void> {
    await this.follow((await this.#session.library.post('/media/bulk', { body: { select, change } })).job_id)
  }

  async undo(job: string): Promise<void> {
    await this.follow((await this.#session.library.post('/bulk/{job_id}/undo', { params: { path: { job_id: job } } })).job_id)
  }

  /** Counts a separate change. */
  changedOne(): void {
    this.changed++
  }

  async follow(job: string): Promise<void> {
    const { library, output, surroundings } = this.#session
    this.#jobs.push(job)
    const end = await untilDone(async () => {
      const state = await library.get('/bulk/{job_id}', { params: { path: { job_id: job } } })
      return state.state === 'PENDING' ? undefined : state
    }, surroundings.signal)
    if (end.state === 'FAILED') throw new Failure(exitCodes.error, `The change ${job} failed.`)
    this.changed += end.changed
    this.#unchanged += end.unchanged
    this.#failed += end.refused_total
    for (const { media_id, code } of end.refused) {
      this.#isForbidden ||= code === 'forbidden'
      output.note(`failed: file ${media_id}: ${code}`)
    }
  }

  /** Prints the outcome. @throws Reported where something failed */
  report(): void {
    const { output } = this.#session
    if (!output.isJson && this.#jobs.length > 0)
      output.note(`To undo: ${this.#jobs.map((job) => `media-library edit --undo ${job}`).join('; ')}`)
    const numbers = { changed: this.changed, unchanged: this.#unchanged, failed: this.#failed }
    if (output.isJson) output.line({ ...numbers, job_ids: this.#jobs }, '')
    else output.summary(numbers)
    if (this.#failed > 0) throw new Reported(this.#isForbidden ? exitCodes.forbidden : exitCodes.someFailed)
  }
}
