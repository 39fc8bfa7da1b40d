import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { describe, test, vi } from 'vitest'
import { mailsTo } from '../support/mail.ts'
import { refusedAddresses, urlHost } from '../support/network-addresses.ts'
import { elsewhere } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { type Received, webhookReceiver } from '../support/webhook-receiver.ts'

const patience = { timeout: 60_000, interval: 50 }

/** What a receiver verifies, by the package that the standard's authors wrote. @throws unless the secret signed it */
function verified({ headers, body }: Received, secret: string) {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    timestamp: string
    data: { id: string; type: string; data: Record<string, unknown> }
  }
}

describe('webhooks', elsewhere, async () => {
  const { accounts, person, service } = await serviceWithAccounts({ WEBHOOK_HTTP: '1', WEBHOOK_ALLOW: '127.0.0.0/8' })

  async function company() {
    const companyId = await accounts.company('Company')
    const admin = await person({ companyId, admin: true })
    // Of the folder that a company begins with, and of its admin.
    await vi.waitFor(async () => assert.equal((await admin.client['list-events']({})).body.events.length, 2), patience)
    return { companyId, admin, client: admin.client, folder: (name: string) => newFolder(admin, name) }
  }
  const newFolder = async ({ client }: Person, name: string, parent: number | null = null) =>
    (await client['create-folder']({ body: { name, parent } })).body.id

  async function webhook({ client }: Person, url: string, more: { types?: 'folder.created'[]; folder_ids?: number[] } = {}) {
    const { status, body } = await client['create-webhook']({ body: { url, ...more } })
    assert.equal(status, 200, JSON.stringify(body))
    return { webhookId: body.id, secret: body.secret! }
  }
  const deliveries = async ({ client }: Person, webhookId: string, query: { state?: 'pending' | 'delivered' | 'failed' } = {}) =>
    (await client['list-deliveries']({ params: { webhookId }, query })).body.deliveries

  test('deliver each event, signed, soon after its commit', async () => {
    const { admin, folder } = await company()
    const { url, received } = await webhookReceiver()
    const { webhookId, secret } = await webhook(admin, url)
    const { cursor } = (await admin.client['list-events']({ query: { cursor: 'now' } })).body
    for (let n = 0; n < 20; n++) await folder(`Folder ${n}`)
    await vi.waitFor(() => assert.equal(received.length, 20), patience)
    const { events } = (await admin.client['list-events']({ query: { cursor } })).body
    const got = received.map((each) => verified(each, secret))
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    // Requests and networks are for admins alone: they go to no target.
    const sent = events.map(({ request_id: _, network: __, ...event }) => event)
    assert.deepEqual(got.map(({ data }) => data).sort(byId), sent.sort(byId))
    for (const [n, { type, timestamp, data }] of got.entries()) {
      assert.equal(received[n]!.headers['webhook-id'], data.id)
      assert.deepEqual([type, timestamp], [data.type, (data as unknown as { created: string }).created])
    }
    await vi.waitFor(async () => assert.equal((await deliveries(admin, webhookId, { state: 'delivered' })).length, 20), patience)
    const [one] = await deliveries(admin, webhookId)
    assert.deepEqual([one?.type, one?.attempts.length, one?.attempts[0]?.status], ['folder.created', 1, 204])
  })

  test('deliver only the types, and of the folders, that are asked for', async () => {
    const { admin, client, folder } = await company()
    const [byType, byFolder, other] = [await webhookReceiver(), await webhookReceiver(), await webhookReceiver()]
    const top = await folder('Top')
    await vi.waitFor(async () => assert.equal((await client['list-events']({})).body.events.length, 3), patience)
    const ofType = await webhook(admin, byType.url, { types: ['folder.created'] })
    const ofFolder = await webhook(admin, byFolder.url, { folder_ids: [top] })
    await webhook(admin, other.url)
    const inside = await newFolder(admin, 'Inside', top)
    await client['change-folder']({ params: { id: inside }, body: { name: 'Renamed' } })
    const elsewhere = await folder('Elsewhere')
    await vi.waitFor(() => assert.equal(other.received.length, 3), patience)
    await vi.waitFor(() => assert.equal(byType.received.length, 2), patience)
    await vi.waitFor(() => assert.equal(byFolder.received.length, 2), patience)
    const folders = ({ received }: typeof byType, secret: string) =>
      received.map((each) => verified(each, secret)).map(({ type, data }) => `${type} ${data.data.folder_id}`)
    assert.deepEqual(folders(byType, ofType.secret).sort(), [`folder.created ${inside}`, `folder.created ${elsewhere}`].sort())
    assert.deepEqual(folders(byFolder, ofFolder.secret).sort(), [`folder.created ${inside}`, `folder.renamed ${inside}`])
  })

  test('are for admins alone, and listed for no other company', async () => {
    const { admin, companyId } = await company()
    const [reader, stranger] = [await person({ companyId }), await person({ companyId: await accounts.company('Other'), admin: true })]
    const { url } = await webhookReceiver()
    const { webhookId } = await webhook(admin, url)
    const params = { webhookId }
    const calls = ({ client }: Person) => [
      client['get-webhook']({ params }),
      client['change-webhook']({ params, body: { enabled: false } }),
      client['rotate-webhook-secret']({ params, body: {} }),
      client['test-webhook']({ params }),
      client['list-deliveries']({ params }),
      client['replay-events']({ params, body: { event_ids: [`${companyId}-1`] } }),
      client['delete-webhook']({ params }),
    ]
    const statuses = async (who: Person) => (await Promise.all(calls(who))).map(({ status }) => status)
    assert.deepEqual(new Set(await statuses(reader)), new Set([403]))
    assert.deepEqual(new Set(await statuses(stranger)), new Set([404]))
    assert.equal((await reader.client['list-webhooks']({})).status, 403)
    assert.equal((await reader.client['create-webhook']({ body: { url } })).status, 403)
    assert.equal((await stranger.client['list-webhooks']({ query: { company_id: companyId } })).status, 404)
    assert.equal((await stranger.client['create-webhook']({ body: { url, company_id: companyId } })).status, 404)
    const { body } = await admin.client['list-webhooks']({})
    assert.deepEqual(
      body.webhooks.map(({ id, enabled }) => [id, enabled]),
      [[webhookId, true]],
    )
    assert.equal('secret' in body.webhooks[0]!, false)
  })

  test('take no address that they may not have, no unknown type and no unknown state', async () => {
    const { client, admin } = await company()
    // The service may reach receivers at 127.0.0.0/8.
    const hosts = refusedAddresses.filter((address) => !address.endsWith('127.0.0.1')).map(urlHost)
    const addresses = hosts.map((host) => `http://${host}/`)
    for (const url of ['ftp://hooks.example.com/', 'http://user@hooks.example.com/', 'nonsense', ...addresses]) {
      const { status, body } = await client['create-webhook']({ body: { url } })
      assert.equal(status, 400, url)
      assert.match(JSON.stringify(body), /"path":"url"/)
    }
    const { url } = await webhookReceiver()
    assert.equal((await client['create-webhook']({ body: { url, types: ['media.eaten' as 'media.created'] } })).status, 400)
    const { webhookId } = await webhook(admin, url)
    const params = { webhookId }
    assert.equal((await client['change-webhook']({ params, body: { url: 'http://10.0.0.1/' } })).status, 400)
    assert.equal((await client['list-deliveries']({ params, query: { state: 'eaten' as 'failed' } })).status, 400)
    assert.equal((await client['list-deliveries']({ params, query: { cursor: 'eaten' } })).status, 400)
  })

  test('that are off get nothing, also not later', async () => {
    const { admin, client, folder } = await company()
    const [off, on] = [await webhookReceiver(), await webhookReceiver()]
    const [{ webhookId, secret }] = [await webhook(admin, off.url), await webhook(admin, on.url)]
    const params = { webhookId }
    assert.equal((await client['change-webhook']({ params, body: { enabled: false } })).body.enabled, false)
    await folder('Missed')
    await vi.waitFor(() => assert.equal(on.received.length, 1), patience)
    assert.equal((await client['test-webhook']({ params })).status, 409)
    assert.equal((await client['change-webhook']({ params, body: { enabled: true } })).body.enabled, true)
    const id = await folder('Told')
    await vi.waitFor(() => assert.equal(off.received.length, 1), patience)
    assert.equal(verified(off.received[0]!, secret).data.data.folder_id, id)
  })

  test('get a test of their own, which is not in the feed', async () => {
    const { admin, client } = await company()
    const [one, other] = [await webhookReceiver(), await webhookReceiver()]
    const [{ webhookId, secret }] = [await webhook(admin, one.url), await webhook(admin, other.url)]
    const { event_id } = (await client['test-webhook']({ params: { webhookId } })).body
    await vi.waitFor(() => assert.equal(one.received.length, 1), patience)
    const { type, data } = verified(one.received[0]!, secret)
    assert.deepEqual([type, data.id, data.type], ['webhook.test', event_id, 'webhook.test'])
    assert.equal((await client['list-events']({})).body.events.length, 2)
    assert.equal(other.received.length, 0)
  })

  test('are verified by the old secret and by the new one while the secret changes', async () => {
    const { admin, client, folder } = await company()
    const { url, received } = await webhookReceiver()
    const { webhookId, secret } = await webhook(admin, url)
    const params = { webhookId }
    const rotate = async (overlap_hours: number) =>
      (await client['rotate-webhook-secret']({ params, body: { overlap_hours } })).body.secret!
    const second = await rotate(1)
    await folder('Both')
    await vi.waitFor(() => assert.equal(received.length, 1), patience)
    for (const each of [secret, second]) assert.equal(verified(received[0]!, each).type, 'folder.created')
    assert.equal(String(received[0]!.headers['webhook-signature']).split(' ').length, 2)
    const third = await rotate(0)
    await folder('One')
    await vi.waitFor(() => assert.equal(received.length, 2), patience)
    assert.equal(verified(received[1]!, third).type, 'folder.created')
    for (const each of [secret, second]) assert.throws(() => verified(received[1]!, each))
  })

  test('that answer 500 get it again', async () => {
    const { admin, folder } = await company()
    const { url, received } = await webhookReceiver((response, n) => response.writeHead(n === 0 ? 500 : 200).end())
    const { webhookId, secret } = await webhook(admin, url)
    await folder('Patient')
    await vi.waitFor(async () => assert.equal((await deliveries(admin, webhookId, { state: 'pending' }))[0]?.attempts.length, 1), patience)
    assert.ok((await admin.client['get-webhook']({ params: { webhookId } })).body.failing_since)
    await vi.waitFor(() => {
      service.advance(5)
      assert.equal(received.length, 2)
    }, patience)
    await vi.waitFor(async () => {
      const { state, attempts } = (await deliveries(admin, webhookId))[0]!
      assert.deepEqual([state, attempts.map(({ status }) => status)], ['delivered', [500, 200]])
    }, patience)
    assert.equal(new Set(received.map((each) => verified(each, secret).data.id)).size, 1)
    assert.equal((await admin.client['get-webhook']({ params: { webhookId } })).body.failing_since, null)
  })

  test('that redirect are not followed, and those that hang delay no others', async () => {
    const [{ admin, folder }, other] = [await company(), await company()]
    const [target, healthy, elsewhere] = [await webhookReceiver(), await webhookReceiver(), await webhookReceiver()]
    const redirecting = await webhookReceiver((response) => response.writeHead(307, { location: target.url }).end())
    const { webhookId } = await webhook(admin, redirecting.url)
    await webhook(admin, healthy.url)
    await folder('First')
    await vi.waitFor(() => assert.equal(healthy.received.length, 1), patience)
    // More than a company may have at a time.
    const hanging = await Promise.all(Array.from({ length: 7 }, () => webhookReceiver(() => undefined)))
    for (const { url } of hanging) await webhook(admin, url)
    await webhook(other.admin, elsewhere.url)
    await folder('Second')
    await vi.waitFor(() => assert.equal(hanging.filter(({ received }) => received.length > 0).length, 5), patience)
    await folder('Third')
    await other.folder('Other')
    await vi.waitFor(() => assert.deepEqual([healthy.received.length, elsewhere.received.length], [3, 1]), patience)
    await vi.waitFor(async () => assert.equal((await deliveries(admin, webhookId)).at(-1)?.attempts[0]?.status, 307), patience)
    assert.equal(target.received.length, 0)
  })

  test('that say 410 are turned off, and admins get an e-mail', async () => {
    const { admin, folder, companyId } = await company()
    const { username } = await person({ companyId, admin: true, username: `anna-${companyId}@example.com` })
    await vi.waitFor(async () => assert.equal((await admin.client['list-events']({})).body.events.length, 3), patience)
    const { url, received } = await webhookReceiver((response) => response.writeHead(410).end())
    const { webhookId } = await webhook(admin, url)
    await folder('Gone')
    await vi.waitFor(async () => assert.equal((await admin.client['get-webhook']({ params: { webhookId } })).body.enabled, false), patience)
    assert.equal((await deliveries(admin, webhookId))[0]?.state, 'failed')
    assert.equal(received.length, 1)
    const [mail] = await mailsTo(username, service, 1)
    assert.match(mail!, new RegExp(webhookId))
    assert.match(mail!, /410/)
  })

  test('get events again, by their ids or by their time', async () => {
    const { admin, client, folder } = await company()
    const { url, received } = await webhookReceiver()
    const { webhookId, secret } = await webhook(admin, url)
    const params = { webhookId }
    // Deliveries tell whole seconds: what came before is in an earlier one.
    service.advance(1)
    for (const name of ['One', 'Two', 'Three']) await folder(name)
    await vi.waitFor(() => assert.equal(received.length, 3), patience)
    const ids = received.map((each) => verified(each, secret).data.id)
    const from = received.map((each) => verified(each, secret).timestamp).sort()[0]!
    assert.deepEqual((await client['replay-events']({ params, body: { event_ids: [ids[1]!] } })).body, { queued: 1 })
    await vi.waitFor(() => assert.equal(received.length, 4), patience)
    assert.equal(verified(received[3]!, secret).data.id, ids[1])
    const to = new Date(Date.parse(from) + 60_000).toISOString()
    assert.deepEqual((await client['replay-events']({ params, body: { from, to } })).body, { queued: 3 })
    await vi.waitFor(() => assert.equal(received.length, 7), patience)
    assert.deepEqual(
      received
        .slice(4)
        .map((each) => verified(each, secret).data.id)
        .sort(),
      ids.toSorted(),
    )
    assert.deepEqual((await client['replay-events']({ params, body: { from, to: from } })).body, { queued: 0 })
    for (const id of ['nonsense', '1-1', `${ids[0]}0000`]) {
      assert.equal((await client['replay-events']({ params, body: { event_ids: [id] } })).status, 400, id)
    }
    for (const body of [{ from }, {}, { from, to, event_ids: ids }]) {
      assert.equal((await client['replay-events']({ params, body })).status, 400)
    }
  })

  test('that are removed leave no delivery', async () => {
    const { admin, client, folder, companyId } = await company()
    const { url } = await webhookReceiver((response) => response.writeHead(500).end())
    const { webhookId } = await webhook(admin, url)
    await folder('Pending')
    await vi.waitFor(async () => assert.equal((await deliveries(admin, webhookId))[0]?.attempts.length, 1), patience)
    assert.equal((await client['delete-webhook']({ params: { webhookId } })).status, 200)
    assert.equal((await client['get-webhook']({ params: { webhookId } })).status, 404)
    const left = async () => (await accounts.table.query({ pk: `DELIVERIES#${webhookId}`, consistent: true })).items.length
    await vi.waitFor(async () => assert.equal(await left(), 0), patience)
    assert.deepEqual((await client['list-webhooks']({ query: { company_id: companyId } })).body.webhooks, [])
  })

  test('are at most twenty of a company', async () => {
    const { admin, client } = await company()
    for (let n = 0; n < 20; n++) await webhook(admin, 'http://hooks.example.invalid/')
    const { status, body } = await client['create-webhook']({ body: { url: 'http://hooks.example.invalid/' } })
    assert.deepEqual([status, (body as unknown as { code: string }).code], [409, 'too_many_webhooks'])
  })
})
