import { createHash } from 'node:crypto'
import { DeferredTable, Overtaken } from '../../backends/table/deferred.ts'
import { type Condition, ConditionFailed, type Key, type Table, WriteConflict } from '../../backends/table/port.ts'
import type { Caller } from '../../library/access/caller.ts'
import { held } from '../../library/concurrency/conditional.ts'
import { retryOnConflict } from '../../library/concurrency/retry.ts'
import { Turns } from '../../library/concurrency/turns.ts'
import { Conflict, Invalid, LibraryError, Unprocessable } from '../../library/errors.ts'
import { DEFAULT_TIMEOUT_SECONDS, type Endpoint } from '../declaration/endpoint.ts'
import { type ApiEvent, type ApiResult, bodyOf, headerValues, type Kernel } from '../protocol/exchange.ts'
import { statusOf } from '../protocol/status.ts'
import { answerOf } from './errors.ts'

/** Seconds for which the answer of a request is kept. */
const KEPT_SECONDS = 86_400
/** A request that hasn't ended so many seconds after its time has crashed. */
const GRACE_SECONDS = 5
/** Statuses of refusals that are kept: the same request would be refused again, or must not be repeated. */
const KEPT_REFUSALS: ReadonlySet<number> = new Set([403, 404, 409, 412, 422])
/** Larger answers aren't kept: a record holds 400 KB. */
const MAX_KEPT_BYTES = 256 * 1024

/** An answer as it is kept. */
type KeptAnswer = { statusCode: number; headers: Record<string, string | number | boolean>; body: string }

/** The record of a request that a caller sent under a key, with its answer once there is one. */
type RequestRecord = Key & {
  /** Hash of method, path, query and body. */
  fingerprint: string
  /** Id of the request that runs, or ran. */
  owner: string
  /** Until when it counts as running without an answer, in UNIX milliseconds. */
  runsUntil: number
  answer?: KeptAnswer
  /** UNIX seconds */
  ttl: number
}

/** A request of an endpoint that takes the key. */
export interface IdempotentRequest {
  kernel: Kernel
  endpoint: Pick<Endpoint, 'timeoutSeconds' | 'shownOnce'>
  event: ApiEvent
  caller: Caller
  requestId: string
  table: Table
}

/**
 * Runs a request once for each key of its caller, for a day: who sends it again gets the same answer. The answer is committed with the last
 * transaction that the request makes, so a crash leaves both or none.
 * @param run answers the request over the given table; it may run again where others changed the same at the same time
 * @throws Unprocessable, Conflict `idempotency_in_progress`, Invalid, and what `run` throws
 */
export async function idempotently(request: IdempotentRequest, run: (table: Table) => Promise<ApiResult>): Promise<ApiResult> {
  const key = idempotencyKey(request.event)
  if (key === undefined) return run(request.table)
  const claimed = await claim(request, key)
  if ('answer' in claimed) return replayed(claimed.answer)
  const { record } = claimed
  const unanswered: Condition = { owner: { equals: record.owner }, answer: { exists: false } }
  const again = new WriteConflict('others changed the same')
  const attempt = async (): Promise<ApiResult> => {
    const table = new DeferredTable(request.table, { idempotency: { check: keyOf(record), if: unanswered } })
    try {
      const outcome = await outcomeOf(() => run(table))
      const answer = answerToKeep(request, outcome)
      await table.commit({
        idempotency: answer ? { put: { ...record, answer }, if: unanswered } : { delete: keyOf(record), if: unanswered },
      })
      if (outcome instanceof LibraryError) throw outcome
      return outcome
    } catch (error) {
      throw error instanceof Overtaken ? again : error
    }
  }
  try {
    return await retryOnConflict(inTurnAgain(request.caller, attempt), (error) => error === again)
  } catch (error) {
    // Another request took the claim over.
    if (error instanceof ConditionFailed && error.failed('idempotency')) throw inProgress()
    // After a failure of the store nobody knows here whether there is an effect: the claim stays until it has run out.
    if (error instanceof LibraryError && !isKept(error)) await held(request.table.delete(keyOf(record), unanswered))
    throw error
  }
}

/** Attempts that were overtaken: those of a company one after the other, so that each of many that begin together gets through. */
const turns = new Turns({ atOnce: Infinity, atOncePerSource: 1, waiting: Infinity, waitingPerSource: Infinity })

function inTurnAgain<T>(caller: Caller, attempt: () => Promise<T>): () => Promise<T> {
  const companyId = caller.kind === 'user' ? caller.user.companies[0]?.companyId : caller.key.companyId
  let isAgain = false
  return () => {
    if (isAgain) return turns.take(String(companyId), attempt)
    isAgain = true
    return attempt()
  }
}

/** @returns the answer, or the refusal. @throws every other error */
async function outcomeOf(run: () => Promise<ApiResult>): Promise<ApiResult | LibraryError> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof LibraryError) return error
    throw error
  }
}

function answerToKeep({ requestId, kernel, endpoint }: IdempotentRequest, outcome: ApiResult | LibraryError): KeptAnswer | undefined {
  if (!(outcome instanceof LibraryError)) return keptOf(outcome, endpoint.shownOnce)
  return isKept(outcome) ? keptOf(answerOf(outcome, requestId, kernel)) : undefined
}

async function claim(request: IdempotentRequest, key: string): Promise<{ record: RequestRecord } | { answer: KeptAnswer }> {
  const { table, kernel, endpoint, requestId } = request
  const now = kernel.clock.now()
  const known = await table.get<RequestRecord>({ pk: partitionOf(request.caller, key), sk: 'REQUEST' })
  const fingerprint = fingerprintOf(request.event)
  const isCurrent = known !== undefined && known.ttl * 1000 > now
  if (isCurrent) {
    if (known.fingerprint !== fingerprint) {
      throw new Unprocessable('idempotency_mismatch', 'This Idempotency-Key was used for another request. Use a new one for each request.')
    }
    if (known.answer) return { answer: known.answer }
    if (known.runsUntil > now) throw inProgress()
  }
  const record: RequestRecord = {
    ...{ pk: partitionOf(request.caller, key), sk: 'REQUEST', fingerprint, owner: requestId },
    runsUntil: now + ((endpoint.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) + GRACE_SECONDS) * 1000,
    ttl: Math.floor(now / 1000) + KEPT_SECONDS,
  }
  const unchanged: Condition =
    known === undefined ? { pk: { exists: false } } : { owner: { equals: known.owner }, answer: { exists: known.answer !== undefined } }
  try {
    await table.put(record, unchanged)
    return { record }
  } catch (error) {
    if (error instanceof ConditionFailed) throw inProgress()
    throw error
  }
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })

const inProgress = () => new Conflict('The same request is still running. Try again in a second.', 'idempotency_in_progress', 1)

/** Each user and each application has keys of their own. */
function partitionOf(caller: Caller, key: string): string {
  const whose = caller.kind === 'user' ? ['user', caller.user.userId] : ['application', caller.key.keyId]
  return `IDEMPOTENCY#${digest([...whose, key])}`
}

function fingerprintOf(event: ApiEvent): string {
  const { httpMethod, resource, pathParameters, multiValueQueryStringParameters } = event
  return digest([httpMethod, resource, pathParameters, multiValueQueryStringParameters], bodyOf(event))
}

const digest = (parts: unknown, bytes: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(JSON.stringify(parts)).update(bytes).digest('base64url')

/** Whether the refusal is the handler's last word. What says itself that trying again may help is tried again. */
function isKept(error: LibraryError): boolean {
  const mayPass = error instanceof Conflict && (error.retryAfter !== undefined || error.code === 'conflict')
  return KEPT_REFUSALS.has(statusOf(error)) && !mayPass
}

/** @param shownOnce fields of the answer that no repetition shows */
function keptOf({ statusCode, headers = {}, body, pieces }: ApiResult, shownOnce: readonly string[] = []): KeptAnswer | undefined {
  const text = pieces ? Buffer.concat(pieces).toString() : body
  if (Buffer.byteLength(text) > MAX_KEPT_BYTES) return undefined
  return { statusCode, headers, body: shownOnce.length > 0 ? without(text, shownOnce) : text }
}

function without(json: string, fields: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => !fields.includes(name))))
}

const replayed = ({ statusCode, headers, body }: KeptAnswer): ApiResult => ({
  statusCode,
  headers: { ...headers, 'Idempotency-Replayed': 'true' },
  body,
})

/** Characters of the longest key. */
const MAX_KEY_LENGTH = 255

/**
 * The value of `Idempotency-Key`: bare, or in quotes as RFC 8941 writes strings. Both are the same key.
 * @returns undefined where there is none
 * @throws Invalid
 */
export function idempotencyKey(event: Pick<ApiEvent, 'headers' | 'multiValueHeaders'>): string | undefined {
  const [sent, ...others] = headerValues(event, 'idempotency-key')
  if (sent === undefined) return undefined
  const value = unquoted(sent.trim())
  if (others.length > 0 || value.length < 1 || value.length > MAX_KEY_LENGTH) {
    throw new Invalid({ path: 'Idempotency-Key', message: `must be one value of 1 to ${MAX_KEY_LENGTH} characters` })
  }
  return value
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value
}
