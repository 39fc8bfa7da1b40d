import { randomUUID } from 'node:crypto'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { inParallel } from '../../parallel.ts'
import { decodeCursor, encodeCursor, type PageEnd } from './cursor.ts'
import { conditionExpression, keyConditionExpression, Placeholders, projection, updateExpression } from './dynamodb-expressions.ts'
import { persistently, RetryBudget } from './dynamodb-retry.ts'
import { indexes } from './indexes.ts'
import {
  type Changes,
  type Condition,
  InvalidCursor,
  type Item,
  type Key,
  type Operation,
  type Operations,
  type Page,
  type Query,
  type Table,
  TableUnavailable,
} from './port.ts'
import { sortRange } from './range.ts'
import { addressOf, checkItemSize, checkQuery, checkTransaction, uniqueKeys, validItem, validKey } from './rules.ts'

const KEYS_PER_BATCH = 100
const BATCHES_AT_ONCE = 8

/** The table in DynamoDB. @param options.client made by `dynamoClient` */
export function dynamoTable(options: { tableName: string; client?: DynamoDBClient }): Table {
  return new DynamoTable(options.tableName, documentClient(options.client))
}

/** A client with time limits on its requests and no retries: dynamodb-retry.ts knows which requests may be repeated. */
export function dynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true }
  return new DynamoDBClient({ maxAttempts: 1, requestHandler, ...config })
}

/** A client that converts between JavaScript's and DynamoDB's values. */
export function documentClient(client = dynamoClient()): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, {
    // The last option is for maps with an attribute `constructor`.
    marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true, convertClassInstanceToMap: true },
    unmarshallOptions: { wrapNumbers: Number },
  })
}

class DynamoTable implements Table {
  /** Indexes usually lag by less than a second. AWS guarantees no bound. */
  readonly settleTime = 30_000
  readonly #client: DynamoDBDocumentClient
  readonly #name: string

  constructor(name: string, client: DynamoDBDocumentClient) {
    this.#name = name
    this.#client = client
  }

  async get<T extends Key = Item>(key: Key, { consistent = true } = {}): Promise<T | undefined> {
    const command = new GetCommand({ TableName: this.#name, Key: validKey(key), ConsistentRead: consistent })
    const { Item } = await persistently(() => this.#client.send(command), 'harmless')
    return Item as T | undefined
  }

  async getMany<T extends Key = Item>(
    keys: readonly Key[],
    { consistent = true, attributes }: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<T[]> {
    const read = { ConsistentRead: consistent, ...(attributes && projection(attributes)) }
    const unique = uniqueKeys(keys)
    const found = new Map<string, Item>()
    const starts = Array.from({ length: Math.ceil(unique.length / KEYS_PER_BATCH) }, (_, batch) => batch * KEYS_PER_BATCH)
    await inParallel(starts, BATCHES_AT_ONCE, async (start) => {
      for (const item of await this.#getBatch(unique.slice(start, start + KEYS_PER_BATCH), read)) found.set(addressOf(item), item)
    })
    return unique.flatMap((key) => found.get(addressOf(key)) ?? []) as Key[] as T[]
  }

  /** Reads up to 100 items, in any order. Repeats unprocessed keys, with a new time budget after each answer that has items. */
  async #getBatch(keys: readonly Key[], read: object): Promise<Item[]> {
    const items: Item[] = []
    let pending: readonly object[] = keys
    let retries = new RetryBudget()
    for (;;) {
      const command = new BatchGetCommand({ RequestItems: { [this.#name]: { Keys: [...pending], ...read } } })
      const { Responses, UnprocessedKeys } = await persistently(() => this.#client.send(command), 'harmless')
      items.push(...((Responses?.[this.#name] ?? []) as Item[]))
      const left = UnprocessedKeys?.[this.#name]?.Keys ?? []
      if (left.length === 0) return items
      if (left.length < pending.length) retries = new RetryBudget()
      pending = left
      if (!(await retries.pause())) throw new TableUnavailable(`${pending.length} keys stayed unprocessed`)
    }
  }

  async query<T extends Key = Item>(query: Query): Promise<Page<T>> {
    checkQuery(query)
    const start = query.cursor === undefined ? undefined : toStartKey(query, decodeCursor(query, query.cursor))
    if (!sortRange(query.sk)) return { items: [] }
    const placeholders = new Placeholders()
    const command = new QueryCommand({
      TableName: this.#name,
      IndexName: query.index,
      ...keyConditionExpression(query, placeholders),
      ...placeholders.toRequest(),
      ...(start && { ExclusiveStartKey: start }),
      ...(query.limit !== undefined && { Limit: query.limit }),
      ScanIndexForward: !query.descending,
      ConsistentRead: query.consistent === true,
    })
    try {
      const { Items = [], LastEvaluatedKey } = await persistently(() => this.#client.send(command), 'harmless')
      const items = Items as T[]
      return LastEvaluatedKey ? { items, cursor: encodeCursor(query, toPageEnd(query, LastEvaluatedKey as Item)) } : { items }
    } catch (error) {
      // The other parts of the query are valid: DynamoDB refuses a start outside of its range.
      if (start && error instanceof TypeError) throw new InvalidCursor('not a cursor of this query', { cause: error })
      throw error
    }
  }

  async put(item: Item, condition?: Condition): Promise<void> {
    const command = new PutCommand(this.#putRequest(item, condition))
    await persistently(() => this.#client.send(command), 'doubtful', ['put'])
  }

  async update<T extends Key = Item>(key: Key, changes: Changes, condition?: Condition): Promise<T> {
    const command = new UpdateCommand({ ...this.#updateRequest(key, changes, condition), ReturnValues: 'ALL_NEW' })
    const { Attributes } = await persistently(() => this.#client.send(command), changes.add ? 'wrong' : 'doubtful', ['update'])
    return Attributes as T
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    const command = new DeleteCommand(this.#keyRequest(key, condition))
    await persistently(() => this.#client.send(command), 'doubtful', ['delete'])
  }

  async transact(operations: Operations): Promise<void> {
    checkTransaction(operations)
    const TransactItems = Object.values(operations).map((operation) => this.#toTransactItem(operation))
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() })
    await persistently(() => this.#client.send(command), 'harmless', Object.keys(operations))
  }

  #toTransactItem(operation: Operation) {
    if ('put' in operation) return { Put: this.#putRequest(operation.put, operation.if) }
    if ('update' in operation) return { Update: this.#updateRequest(operation.update, operation.changes, operation.if) }
    if ('delete' in operation) return { Delete: this.#keyRequest(operation.delete, operation.if) }
    return { ConditionCheck: { ConditionExpression: undefined, ...this.#keyRequest(operation.check, operation.if) } }
  }

  #putRequest(item: Item, condition: Condition | undefined) {
    const stored = validItem(item)
    checkItemSize(stored)
    const placeholders = new Placeholders()
    const expression = conditionExpression(condition, placeholders)
    return { TableName: this.#name, Item: stored, ...expression, ...placeholders.toRequest() }
  }

  #updateRequest(key: Key, changes: Changes, condition: Condition | undefined) {
    const placeholders = new Placeholders()
    const expressions = { ...updateExpression(changes, placeholders), ...conditionExpression(condition, placeholders) }
    return { TableName: this.#name, Key: validKey(key), ...expressions, ...placeholders.toRequest() }
  }

  #keyRequest(key: Key, condition: Condition | undefined) {
    const placeholders = new Placeholders()
    const expression = conditionExpression(condition, placeholders)
    return { TableName: this.#name, Key: validKey(key), ...expression, ...placeholders.toRequest() }
  }
}

function toStartKey(query: Query, { pk, sk, indexSk }: PageEnd) {
  const index = query.index && indexes[query.index]
  return { pk, sk, ...(index && { [index.pk]: query.pk, [index.sk]: indexSk }) }
}

function toPageEnd(query: Query, last: Item): PageEnd {
  return { pk: last.pk, sk: last.sk, ...(query.index && { indexSk: last[indexes[query.index].sk] as string }) }
}
