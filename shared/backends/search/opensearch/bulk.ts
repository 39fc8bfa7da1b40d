import type { Client, Types } from '@opensearch-project/opensearch'
import { backoff } from '../../../backoff.ts'
import { systemClock } from '../../clock/port.ts'
import { ageOf, type CompanyChange, type RefusedChange } from '../port.ts'
import { documentId, type StoredDocument, storedDocument } from './stored-document.ts'
import { PASSING, whileWaking } from './waking.ts'

/** Most bytes and documents of a request. OpenSearch Serverless takes 10 MiB. */
const [MOST_BYTES, MOST_DOCUMENTS] = [4 * 1024 ** 2, 1_000]

/** How often documents are sent for which OpenSearch is too busy. */
const ATTEMPTS = 6
const PAUSES = { first: 250, longest: 4_000 }

/** The index has a newer change of the file, or this one. */
const CONFLICT = 409
/** The index is gone, and the sender may not create one. */
const GONE: ReadonlySet<number> = new Set([403, 404])

/** A document on its way. */
interface Line {
  from: CompanyChange
  index: string
  document: StoredDocument
  bytes: number
}

/** The outcome of sent changes. */
export interface Stored {
  /** Refused by OpenSearch. */
  refused: RefusedChange[]
  /** Indexes that are gone, or that the sender may not write to. */
  gone: ReadonlySet<string>
}

/**
 * Stores changes in some indexes. An index takes only changes that are newer than its own version of a file.
 * @param indexes their names
 * @param maxWaitMs milliseconds that a request waits for an engine that wakes, or is busy
 * @throws Error when some could not be sent, after retries; others may be stored
 */
export async function storeChanges(
  client: Client,
  indexes: readonly string[],
  changes: readonly CompanyChange[],
  maxWaitMs: number,
): Promise<Stored> {
  const lines = changes.flatMap((from) => {
    const document = storedDocument(from)
    const bytes = Buffer.byteLength(JSON.stringify(document))
    return indexes.map((index): Line => ({ from, index, document, bytes }))
  })
  const refused = new Map<CompanyChange, string>()
  const gone = new Set<string>()
  for (const batch of batches(lines)) {
    for (const { line, status, reason } of await storeBatch(client, batch, maxWaitMs)) {
      if (GONE.has(status)) gone.add(line.index)
      else refused.set(line.from, `${status} ${reason}`)
    }
  }
  return { refused: [...refused].map(([change, reason]) => ({ ...change, reason })), gone }
}

function* batches(lines: readonly Line[]): Generator<Line[]> {
  let batch: Line[] = []
  let bytes = 0
  for (const line of lines) {
    if (batch.length === MOST_DOCUMENTS || (batch.length > 0 && bytes + line.bytes > MOST_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(line)
    bytes += line.bytes
  }
  if (batch.length > 0) yield batch
}

interface Refusal {
  line: Line
  status: number
  reason: string
}

async function storeBatch(client: Client, batch: readonly Line[], maxWaitMs: number): Promise<Refusal[]> {
  const refused: Refusal[] = []
  let waiting = batch
  for (let attempt = 1; ; attempt++) {
    const items = await send(client, waiting, maxWaitMs)
    const busy: Line[] = []
    waiting.forEach((line, position) => {
      const { status = 500, error } = items[position]?.index ?? {}
      if (status < 300 || status === CONFLICT) return
      if (PASSING.has(status)) busy.push(line)
      else refused.push({ line, status, reason: `${error?.type}: ${error?.reason}` })
    })
    if (busy.length === 0) return refused
    if (attempt === ATTEMPTS) throw new Error(`OpenSearch was too busy for ${busy.length} of ${batch.length} documents`)
    waiting = busy
    await systemClock.sleep(backoff(attempt, PAUSES))
  }
}

function send(client: Client, lines: readonly Line[], maxWaitMs: number): Promise<Types.Core_Bulk.Item[]> {
  const body = lines.flatMap(({ from, index, document }) => [actionOf(from, index), document])
  return whileWaking(maxWaitMs, async (requestTimeout) => {
    const answer = await client.bulk({ body }, { requestTimeout })
    return answer.body.items
  })
}

function actionOf({ companyId, change }: CompanyChange, index: string): Types.Core_Bulk.OperationContainer {
  const version = { version: ageOf(change), version_type: 'external' as const }
  return { index: { _index: index, _id: documentId(companyId, change.mediaId), ...version } }
}
