import { type Answer, dropped, type Fault, lost, type Request, refusal, unanswered } from '../../support/aws/faults/fault.ts'
import type { FaultPlan } from '../../support/aws/faults/plan.ts'

/**
 * What DynamoDB does now and then and no emulator ever: one plan for operations that may be repeated whatever happened to their answer,
 * one for all.
 */

/** Refusals that say that nothing was done. */
const throttled = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'].map((code) =>
  refusal(400, code),
)
/** Ends that leave it open whether it was done. */
const unknown = [refusal(500, 'InternalServerError'), dropped, lost, lost, lost]

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/** Refusals of everything; lost answers only where the port promises that they don't show. */
export function faultsThatDoNotShow(seed: string): FaultPlan {
  const stale = staleReads()
  return {
    seed,
    rate: 0.12,
    faults: (operation, request) => [...refusals(operation), ...reads(operation, request, stale), ...(repeatable(request) ? unknown : [])],
  }
}

/** Everything, to everything. */
export function everyFault(seed: string): FaultPlan {
  return { seed, rate: 0.25, faults: (operation) => [...refusals(operation), ...unknown, unanswered] }
}

/** DynamoDB is down, or answers batch reads without reading anything. */
export const outage: FaultPlan = {
  seed: 'outage',
  rate: 1,
  faults: (operation) => (operation === 'BatchGetItem' ? [nothingProcessed] : [refusal(503, 'ServiceUnavailable')]),
}

/** Every read that may be stale is, once it was made before. */
export function nothingButStaleReads(): FaultPlan {
  const stale = staleReads()
  return { seed: 'stale', rate: 1, faults: (operation, request) => (mayBeStale(operation, request) ? [stale] : []) }
}

function refusals(operation: string): Fault[] {
  if (operation === 'TransactWriteItems') return [...throttled, conflictInTransaction, refusal(400, 'TransactionInProgressException')]
  return writes.has(operation) ? [...throttled, refusal(400, 'TransactionConflictException')] : throttled
}

function reads(operation: string, request: Request, stale: Fault): Fault[] {
  if (operation === 'BatchGetItem') return [someProcessed, someProcessed]
  return mayBeStale(operation, request) ? [stale, stale] : []
}

function mayBeStale(operation: string, { body }: Request): boolean {
  const input = JSON.parse(body.toString())
  if (operation === 'BatchGetItem')
    return Object.values(input.RequestItems as Record<string, BatchKeys>).every((keys) => !keys.ConsistentRead)
  return ['GetItem', 'Query', 'Scan'].includes(operation) && !input.ConsistentRead
}

/** Increments count twice and conditions fail because of the first time: of these the port reports a lost answer. */
function repeatable({ body }: Request): boolean {
  const { UpdateExpression = '', ConditionExpression } = JSON.parse(body.toString())
  return ConditionExpression === undefined && !/\bADD\b/.test(UpdateExpression)
}

const conflictInTransaction: Fault = async (request, forward) => {
  const { TransactItems } = JSON.parse(request.body.toString()) as { TransactItems: unknown[] }
  const CancellationReasons = TransactItems.map((_, position) => ({ Code: position === 0 ? 'TransactionConflict' : 'None' }))
  return refusal(400, 'TransactionCanceledException', { CancellationReasons })(request, forward)
}

interface BatchKeys {
  Keys: object[]
  ConsistentRead?: boolean
}

interface BatchAnswer {
  Responses: Record<string, Record<string, unknown>[]>
  UnprocessedKeys?: Record<string, BatchKeys>
}

/** Of what a batch read finds, every other item is left for another time. */
const someProcessed: Fault = async (request, forward) => {
  const answer = await forward(request)
  if (answer.status !== 200) return answer
  const asked = JSON.parse(request.body.toString()).RequestItems as Record<string, BatchKeys>
  const { Responses, UnprocessedKeys = {} } = JSON.parse(answer.body.toString()) as BatchAnswer
  for (const [table, items] of Object.entries(Responses)) {
    const left = items.filter((_, position) => position % 2 === 0).map(({ pk, sk }) => ({ pk, sk }))
    if (left.length === 0) continue
    Responses[table] = items.filter((_, position) => position % 2 === 1)
    UnprocessedKeys[table] = { ...asked[table], Keys: [...(UnprocessedKeys[table]?.Keys ?? []), ...left] }
  }
  return withBody(answer, { Responses, UnprocessedKeys })
}

const nothingProcessed: Fault = async ({ body }) => {
  const answer = { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.alloc(0) }
  return withBody(answer, { Responses: {}, UnprocessedKeys: JSON.parse(body.toString()).RequestItems })
}

/** Reads that are not consistent get what the same read got before, where it was made before. */
function staleReads(): Fault {
  const earlier = new Map<string, Answer>()
  return async (request, forward) => {
    const asked = request.body.toString()
    const answer = earlier.get(asked) ?? (await forward(request))
    if (answer.status === 200) earlier.set(asked, answer)
    return answer
  }
}

function withBody(answer: Answer, content: object): Answer {
  const body = Buffer.from(JSON.stringify(content))
  const { 'x-amz-crc32': _, ...headers } = answer.headers
  return { ...answer, headers: { ...headers, 'content-length': String(body.length) }, body }
}
