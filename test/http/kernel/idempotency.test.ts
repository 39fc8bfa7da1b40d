import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import * as z from 'zod'
import { type EndpointName, endpoints } from '../../../functions/endpoints.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { type Endpoint, endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { splitRoute } from '../../../shared/http/declaration/route.ts'
import { apiHandler } from '../../../shared/http/kernel/kernel.ts'
import type { ApiResult } from '../../../shared/http/protocol/exchange.ts'
import { issueToken } from '../../../shared/library/accounts/tokens.ts'
import type { UserRecord } from '../../../shared/library/accounts/users.ts'
import { Busy, Conflict, Forbidden, Invalid, NotFound, Unprocessable } from '../../../shared/library/errors.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

interface Sent {
  body?: unknown
  params?: Record<string, string>
  key?: string
  user?: UserRecord
  /** The table as the process sees it. */
  table?: Table
}

/** A company, and requests to endpoints over its table. */
async function setUp() {
  const library = openTestTable()
  const { companyId, admin, user } = await openTestCompany(library)
  const settings = settingsAt('http://127.0.0.1', defaultSettings)
  const kernel = { settings, clock: library.clock, log: jsonLog(() => undefined), baseUrl: settings.cdnUrl }
  const tokens = new Map<UserRecord, string>()
  for (const each of [admin.user, user.user]) tokens.set(each, (await issueToken(library, each, undefined, 30)).token)
  const send = async (declared: Endpoint, { body, params, key, user: by = admin.user, table = library.table }: Sent) => {
    const { method, path } = splitRoute(declared.route(settings))
    const event = apiEvent({ method, path, body, authorization: `SVC-SIMPLE-TOKEN Token=${tokens.get(by)}` }, path, params ?? null)
    const headers = { ...event.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) }
    return apiHandler(declared, { table }, kernel)({ ...event, headers, multiValueHeaders: {} })
  }
  const named = (name: EndpointName, sent: Sent) => send(endpoints[name] as Endpoint, sent)
  const folders = async (name: string) => [...(await loadTree(library, companyId)).all()].filter((folder) => folder.name === name)
  return { ...library, companyId, admin, user, send, named, folders }
}

const isReplayed = ({ headers }: ApiResult) => headers?.['Idempotency-Replayed'] === 'true'
const told = ({ statusCode, body }: ApiResult) => ({ status: statusCode, ...JSON.parse(body) })

/** An endpoint that answers what a test says, and counts its runs. */
function answering(act: () => unknown) {
  const runs = { count: 0 }
  const declared = endpoint({
    route: 'POST /thing',
    summary: 'Test',
    description: 'Of a test.',
    access: 'user',
    uses: { table: 'write' },
    idempotent: true,
    shownOnce: ['secret'],
    body: z.object({ name: z.string() }),
    returns: z.object({ run: z.number(), secret: z.string().optional() }),
    async handle() {
      runs.count++
      act()
      return { run: runs.count, secret: 'whsec_1' }
    },
  })
  return { declared: declared as Endpoint, runs }
}

describe('a request under a key', () => {
  test('is carried out once, and gets the same answer for a day', async () => {
    const { named, folders, clock } = await setUp()
    const sent = { body: { name: 'Harbour' }, key: '"first"' }
    const [first, again] = [await named('create-folder', sent), await named('create-folder', { ...sent, key: 'first' })]
    assert.equal(first.statusCode, 200)
    assert.deepEqual(told(again), told(first))
    assert.deepEqual([isReplayed(first), isReplayed(again)], [false, true])
    assert.equal((await folders('Harbour')).length, 1)
    clock.advance(86_399)
    assert.ok(isReplayed(await named('create-folder', sent)))
    clock.advance(2)
    assert.ok(!isReplayed(await named('create-folder', sent)))
    assert.equal((await folders('Harbour')).length, 2)
  })

  test('is the caller\u2019s own, and another one under the same key is refused', async () => {
    const { named, user, folders } = await setUp()
    await named('create-folder', { body: { name: 'One' }, key: 'k' })
    assert.deepEqual(told(await named('create-folder', { body: { name: 'Two' }, key: 'k' })).code, 'idempotency_mismatch')
    const { id } = told(await named('create-folder', { body: { name: 'One' }, key: 'k' }))
    const moved = await named('delete-folder', { params: { id: String(id) }, key: 'k' })
    assert.deepEqual([moved.statusCode, told(moved).code], [422, 'idempotency_mismatch'])
    assert.equal((await named('create-folder', { body: { name: 'Two' }, key: 'k', user: user.user })).statusCode, 200)
    assert.deepEqual([(await folders('One')).length, (await folders('Two')).length], [1, 1])
  })

  test('that comes a hundred times at once has one effect', async () => {
    const { named, folders } = await setUp()
    const answers = await Promise.all(Array.from({ length: 100 }, () => named('create-folder', { body: { name: 'Harbour' }, key: 'k' })))
    assert.equal((await folders('Harbour')).length, 1)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    for (const answer of refused) {
      assert.deepEqual([told(answer).code, answer.headers?.['Retry-After']], ['idempotency_in_progress', '1'])
    }
    assert.deepEqual(new Set(answers.filter((each) => each.statusCode === 200).map((each) => told(each).id)).size, 1)
  })

  test('a key is 1 to 255 characters', async () => {
    const { send } = await setUp()
    const { declared, runs } = answering(() => undefined)
    for (const key of ['', '""', ' ', 'x'.repeat(256), `"${'x'.repeat(256)}"`]) {
      assert.equal((await send(declared, { body: { name: 'x' }, key })).statusCode, 400, key)
    }
    assert.equal(runs.count, 0)
    for (const key of ['x', 'x'.repeat(255), `"${'x'.repeat(254)}"`, '"', 'a b', '"a\\"b"']) {
      assert.equal((await send(declared, { body: { name: 'x' }, key })).statusCode, 200, key)
    }
  })

  test('a secret that is shown once is not in the answer to a repetition', async () => {
    const { send } = await setUp()
    const { declared } = answering(() => undefined)
    const ask = async () => told(await send(declared, { body: { name: 'x' }, key: 'k' }))
    assert.deepEqual(await ask(), { status: 200, run: 1, secret: 'whsec_1' })
    assert.deepEqual(await ask(), { status: 200, run: 1 })
  })

  test('refusals of the handler are kept; what may pass by itself is not', async () => {
    const refusals: [error: Error, kept: boolean][] = [
      [new Forbidden(), true],
      [new NotFound('folder'), true],
      [new Conflict('The name is taken.', 'name_taken'), true],
      [new Unprocessable('size_mismatch', 'Another size.'), true],
      [new Conflict(), false],
      [new Conflict('Not yet.', 'download_pending', 3), false],
      [new Invalid({ path: '', message: 'No.' }), false],
      [new Busy(1), false],
    ]
    for (const [error, kept] of refusals) {
      const { send } = await setUp()
      const { declared, runs } = answering(() => {
        throw error
      })
      const ask = async () => send(declared, { body: { name: 'x' }, key: 'k' })
      const [first, again] = [await ask(), await ask()]
      assert.deepEqual([runs.count, isReplayed(again)], kept ? [1, true] : [2, false], error.message)
      assert.equal(again.statusCode, first.statusCode)
    }
  })
})

describe('a process that ends in a request under a key', () => {
  test('leaves one effect, and the answer that belongs to it, wherever it ends', async () => {
    for (let calls = 0; ; calls++) {
      const world = await setUp()
      const sent = { body: { name: 'Made' }, key: 'k' }
      const before = await contents(world)
      const first = await world.named('create-folder', { ...sent, table: cutOffAfter(calls, world.table) })
      const between = await contents(world)
      if (first.statusCode !== 200) {
        assert.equal(first.statusCode, 500)
        const waiting = await world.named('create-folder', sent)
        // What ended before its claim has left none; what ended after its effect has left the answer.
        if (waiting.statusCode !== 200) {
          assert.deepEqual([told(waiting).code, between], ['idempotency_in_progress', before])
          world.clock.advance(60)
        }
      }
      const answer = await world.named('create-folder', sent)
      assert.equal(answer.statusCode, 200, answer.body)
      const after = await contents(world)
      if (between !== before) assert.equal(after, between)
      assert.notEqual(after, before)
      const again = await world.named('create-folder', sent)
      assert.deepEqual([told(again), isReplayed(again)], [told(answer), true])
      assert.equal(await contents(world), after)
      if (first.statusCode === 200) return assert.ok(calls > 4)
    }
  })

  /** All that is in the table but for the requests themselves, and a trashcan that a request may have made before. */
  async function contents({ table }: { table: Awaited<ReturnType<typeof setUp>>['table'] }): Promise<string> {
    const { items } = await table.scan()
    return JSON.stringify(
      items
        .filter(({ pk }) => !pk.startsWith('IDEMPOTENCY#'))
        .map(({ pk, sk, name, revision, tags, parent, deleted }) => ({ pk, sk, name, revision, tags, parent, deleted })),
    )
  }
})
