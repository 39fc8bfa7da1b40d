import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import type { ChangeReader, TableScanner } from '../../../shared/backends/table/port.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { openCompany } from '../../../shared/library/accounts/provision.ts'
import { issueToken } from '../../../shared/library/accounts/tokens.ts'
import { createUser, type UserRecord } from '../../../shared/library/accounts/users.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import { isAvailable } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { usageChange } from '../../../shared/library/usage/usage.ts'
import { type CompanyId, MAX_ID } from '../../../shared/vocabulary/ids.ts'
import type { ApiRequest } from '../../support/api-event.ts'
import { by } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { TestClock } from '../../support/test-clock.ts'
import { type Background, startBackground } from './background.ts'
import { type Peer, type PeerCall, type PeerOutcome, startPeer } from './peers.ts'
import { type OpenPlace, openPlace, type Place } from './place.ts'

/** Processes that answer at the same time. */
const PEERS = 4
/** Seconds after which a check takes what a job has not done for a sign that it never will. */
const LONGEST_JOB = 2 * 86_400
/** Tests move the clock on. */
const TOKEN_DAYS = 3_650

/** A table that several processes have open, as a test needs it besides. */
export interface SharedTable {
  place: Place
  scanner: TableScanner
  changes: ChangeReader
  /** How often each thing is tried that depends on who comes first. */
  rounds: number
  close(): Promise<void>
}

/** A library with one company, served by several processes at once. */
export class SharedLibrary {
  readonly companyId: CompanyId
  readonly clock: TestClock
  readonly background: Background
  readonly open: OpenPlace
  readonly #shared: SharedTable
  readonly #peers: Peer[]
  readonly #admin: string
  /** What was found wrong before: it is told once. */
  readonly #told = new Set<string>()

  static async start(shared: SharedTable): Promise<SharedLibrary> {
    const clock = new TestClock()
    clock.ms = Date.now()
    const open = await openPlace(shared.place, clock)
    const { companyId } = await openCompany({ ...open.backend, clock, by }, 'Company')
    const peers = await Promise.all(Array.from({ length: PEERS }, () => startPeer(shared.place, clock)))
    const { authorization } = await newUser({ open, clock, companyId }, true)
    return new SharedLibrary({ companyId, clock, open, shared, peers, authorization })
  }

  private constructor(parts: {
    companyId: CompanyId
    clock: TestClock
    open: OpenPlace
    shared: SharedTable
    peers: Peer[]
    authorization: string
  }) {
    const { companyId, clock, open, shared, peers, authorization } = parts
    this.companyId = companyId
    this.clock = clock
    this.open = open
    this.#shared = shared
    this.#peers = peers
    this.#admin = authorization
    this.background = startBackground(open, shared.changes, clock)
  }

  /** What tells of committed changes. */
  get changes(): ChangeReader {
    return this.#shared.changes
  }

  get place(): Place {
    return this.#shared.place
  }

  /** How often each thing is to be tried that depends on who comes first. */
  get rounds(): number {
    return this.#shared.rounds
  }

  /** A request of the company's admin, or of somebody else. */
  request(method: ApiRequest['method'], path: string, body?: unknown, authorization = this.#admin): ApiRequest {
    return { method, path, body, authorization }
  }

  /** Calls at the same time, each in another process than the one before. Whatever becomes of them, none may fail unexpectedly. */
  async together(...calls: PeerCall[]): Promise<PeerOutcome[]> {
    const first = randomInt(PEERS)
    const outcomes = await Promise.all(calls.map((call, n) => this.#peers[(first + n) % PEERS]!.do(call)))
    for (const { status = 200, body, failure } of outcomes) {
      assert.equal(failure, undefined)
      assert.ok(status < 500 && status !== 409, `${status} ${JSON.stringify(body)}`)
    }
    return outcomes
  }

  /** One request that must succeed. @returns its JSON */
  async ask<T = Record<string, never>>(
    method: ApiRequest['method'],
    path: string,
    body?: unknown,
    authorization = this.#admin,
  ): Promise<T> {
    const [answer] = await this.together(this.request(method, path, body, authorization))
    assert.equal(answer!.status, 200, `${method} ${path}: ${JSON.stringify(answer!.body)}`)
    return answer!.body as T
  }

  /** @returns the status that the admin gets */
  async status(path: string): Promise<number | undefined> {
    return (await this.together(this.request('GET', path)))[0]!.status
  }

  /** Makes a folder. @returns its id */
  async folder(parent: number | null = null, name = 'folder'): Promise<number> {
    return (await this.ask<{ id: number }>('POST', '/folder', { name, parent })).id
  }

  /** Puts an imported file into folders. @returns its id */
  async file(...folders: number[]): Promise<number> {
    const bytes = Buffer.from('abc')
    const { table, media: bucket } = this.open.backend
    const mediaId = randomInt(1, MAX_ID)
    const record = await putMedia(table, { mediaId, companyId: this.companyId, folders, bytes: bytes.length, uploadKey: `${mediaId}/file` })
    assert.ok(isAvailable(record))
    await table.transact({ usage: usageChange(record, 1) })
    await bucket.put(objectKeys.original(record), bytes, { contentType: 'image/jpeg' })
    await bucket.put(objectKeys.tags(record), Buffer.from('{}'), { contentType: 'application/json' })
    return mediaId
  }

  /** Makes a user without rights, and without a trashcan: that comes with its first use. @returns them, with the value of their `Authorization` header */
  user(): Promise<{ user: UserRecord; authorization: string }> {
    return newUser(this, false)
  }

  /** Another process. It ends with the test's library, if not before. */
  async extraPeer(): Promise<Peer> {
    const peer = await startPeer(this.place, this.clock)
    this.#peers.push(peer)
    return peer
  }

  /** Lets all jobs end, and checks everything that is stored then. @returns what is wrong with it since the last time */
  async problems(): Promise<string[]> {
    await this.background.settle()
    this.clock.advance(LONGEST_JOB)
    const { table, media } = this.open.backend
    const { scanner } = this.#shared
    const problems = await checkLibrary({ table, scanner, media, clock: this.clock }, { pauses: [] })
    const found = new Set(problems.map(({ message }) => message))
    const fresh = found.difference(this.#told)
    for (const problem of fresh) this.#told.add(problem)
    return [...fresh]
  }

  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.kill()))
    await this.open.close()
    await this.#shared.close()
  }
}

async function newUser({ open, clock, companyId }: { open: OpenPlace; clock: TestClock; companyId: CompanyId }, admin: boolean) {
  const library = { ...open.backend, clock, by }
  const [username, password] = [randomUUID(), 'a long password']
  const user = await createUser(library, { companyId, username, fullname: 'User', password, admin })
  const { record } = await createKey(library, { companyId, grants: [] })
  const { token } = await issueToken(library, user, record, TOKEN_DAYS)
  return { user, authorization: `SVC-SIMPLE-TOKEN Token=${token}` }
}
