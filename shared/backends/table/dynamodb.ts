import { randomUUID } from 'node:crypto'
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  type KeysAndAttributes,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { toAttributes, toItem } from './attribute-value.ts'
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

/**
 * The table in DynamoDB, with the low-level client. The document client would add 13 KB to every bundle; attribute-value.ts does the same in
 * 40 lines.
 * @param options.client made by `dynamoClient`
 */
export function dynamoTable(options: { tableName: string; client?: DynamoDBClient }): Table {
  return new DynamoTable(options.tableName, options.client ?? dynamoClient())
}

/** A client with time limits on its requests and no retries: dynamodb-retry.ts knows which requests may be repeated. */
export function dynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true }
  return new DynamoDBClient({ maxAttempts: 1, requestHandler, ...config })
}

class DynamoTable implements Table {
  /** Indexes usually lag by less than a second. AWS guarantees no bound. */
  readonly settleTime = 30_000
  readonly #client: DynamoDBClient
  readonly #name: string

  constructor(name: string, client: DynamoDBClient) {
    this.#name = name
    this.#client = client
  }

  async get<T extends Key = Item>(key: Key, { consistent = true } = {}): Promise<T | undefined> {
    const command = new GetItemCommand({ TableName: this.#name, Key: toAttributes({ ...validKey(key) }), ConsistentRead: consistent })
    const { Item } = await persistently(() => this.#client.send(command), 'harmless')
    return Item && (toItem(Item) as Key as T)
  }

  async getMany<T extends Key = Item>(
    keys: readonly Key[],
    { consistent = true, attributes }: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<T[]> {
    const read = { ConsistentRead: consistent, ...(attributes && projection(attributes)) }
    const unique = uniqueKeys(keys)
    const found = new Map<string, Item>()
    const starts = Array.from({ length: Math.ceil(unique.length / KEYS_PER_BATCH) }, (_, batch) => batch * KEYS_PER_BATCH).values()
    const worker = async () => {
      for (const start of starts)
        for (const item of await this.#getBatch(unique.slice(start, start + KEYS_PER_BATCH), read)) found.set(addressOf(item), item)
    }
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker))
    return unique.flatMap((key) => found.get(addressOf(key)) ?? []) as Key[] as T[]
  }

  /** Reads up to 100 items, in any order; asks again for keys that DynamoDB leaves unprocessed, as long as each answer has some items. */
  async #getBatch(keys: readonly Key[], read: Omit<KeysAndAttributes, 'Keys'>): Promise<Item[]> {
    const items: Item[] = []
    let pending = keys.map((key) => toAttributes({ ...key }))
    let retries = new RetryBudget()
    for (;;) {
      const command = new BatchGetItemCommand({ RequestItems: { [this.#name]: { Keys: pending, ...read } } })
      const { Responses, UnprocessedKeys } = await persistently(() => this.#client.send(command), 'harmless')
      items.push(...(Responses?.[this.#name] ?? []).map(toItem))
      const left = UnprocessedKeys?.[this.#name]?.Keys ?? []
      if (left.length === 0) return items
      if (left.length < pending.length) retries = new RetryBudget()
      pending = left as typeof pending
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
      const items = Items.map(toItem) as Key[] as T[]
      return LastEvaluatedKey ? { items, cursor: encodeCursor(query, toPageEnd(query, toItem(LastEvaluatedKey))) } : { items }
    } catch (error) {
      // The other parts of the query are valid: DynamoDB refuses a start outside of its range.
      if (start && error instanceof TypeError) throw new InvalidCursor('not a cursor of this query', { cause: error })
      throw error
    }
  }

  async put(item: Item, condition?: Condition): Promise<void> {
    const command = new PutItemCommand(this.#putRequest(item, condition))
    await persistently(() => this.#client.send(command), 'doubtful', ['put'])
  }

  async update<T extends Key = Item>(key: Key, changes: Changes, condition?: Condition): Promise<T> {
    const command = new UpdateItemCommand({ ...this.#updateRequest(key, changes, condition), ReturnValues: 'ALL_NEW' })
    const { Attributes } = await persistently(() => this.#client.send(command), changes.add ? 'wrong' : 'doubtful', ['update'])
    return toItem(Attributes ?? {}) as Key as T
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    const command = new DeleteItemCommand(this.#keyRequest(key, condition))
    await persistently(() => this.#client.send(command), 'doubtful', ['delete'])
  }

  async transact(operations: Operations): Promise<void> {
    checkTransaction(operations)
    const TransactItems = Object.values(operations).map((operation) => this.#toTransactItem(operation))
    const command = new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: randomUUID() })
    await persistently(() => this.#client.send(command), 'harmless', Object.keys(operations))
  }

  #toTransactItem(operation: Operation): TransactWriteItem {
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
    return { TableName: this.#name, Item: toAttributes(stored), ...expression, ...placeholders.toRequest() }
  }

  #updateRequest(key: Key, changes: Changes, condition: Condition | undefined) {
    const placeholders = new Placeholders()
    const expressions = { ...updateExpression(changes, placeholders), ...conditionExpression(condition, placeholders) }
    return { TableName: this.#name, Key: toAttributes({ ...validKey(key) }), ...expressions, ...placeholders.toRequest() }
  }

  #keyRequest(key: Key, condition: Condition | undefined) {
    const placeholders = new Placeholders()
    const expression = conditionExpression(condition, placeholders)
    return { TableName: this.#name, Key: toAttributes({ ...validKey(key) }), ...expression, ...placeholders.toRequest() }
  }
}

function toStartKey(query: Query, { pk, sk, indexSk }: PageEnd) {
  const index = query.index && indexes[query.index]
  return toAttributes({ pk, sk, ...(index && { [index.pk]: query.pk, [index.sk]: indexSk }) })
}

function toPageEnd(query: Query, last: Item): PageEnd {
  return { pk: last.pk, sk: last.sk, ...(query.index && { indexSk: last[indexes[query.index].sk] as string }) }
}
