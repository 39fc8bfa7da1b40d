import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'vitest'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('the focal point', async () => {
  const { service, person, accounts } = await serviceWithAccounts()
  const client = await service.client()
  const folder = service.demo.folder_id
  const picture = async () => Number((await uploadAndImport(client, folder, await images['plain.png'](), 'plain.png')).id)
  const text = async () => Number((await uploadAndImport(client, folder, Buffer.from('text'), 'a.txt')).id)
  let id: number
  beforeEach(async () => {
    id = await picture()
  })
  const set = (body: unknown, init?: { headers: Record<string, string> }) =>
    client['set-focal-point']({ params: { id }, body: body as { x: number; y: number } | null, ...(init && { init }) })
  const shown = async (of = id) => {
    const { focal_point } = (await client['get-media']({ params: { id: of } })).body
    const { body } = await client['search-media']({ query: { unique_media_id: of, return_values: 'focal_point' } })
    assert.deepEqual(body.response.media[0], { focal_point })
    return focal_point
  }
  const version = async () => (await client['get-version']({ params: { id } })).body.version

  test('is nobody’s word at first; is set, rounded, moved and taken away, a step each, and none where it is the same', async () => {
    assert.equal(await shown(), null)
    assert.deepEqual((await set(null)).body, { focal_point: null, version: 1 })
    assert.deepEqual((await set({ x: 0.50049, y: 1 })).body, { focal_point: { x: 0.5, y: 1 }, version: 2 })
    assert.deepEqual(await shown(), { x: 0.5, y: 1 })
    assert.deepEqual((await set({ y: 1, x: 0.5 })).body, { focal_point: { x: 0.5, y: 1 }, version: 2 })
    assert.deepEqual((await set({ x: 0, y: 0 })).body, { focal_point: { x: 0, y: 0 }, version: 3 })
    assert.deepEqual((await set(null)).body, { focal_point: null, version: 4 })
    assert.deepEqual([await shown(), await version()], [null, 4])
  })

  test('is two numbers from 0 to 1', async () => {
    for (const body of [
      {},
      [],
      'x',
      0.5,
      { x: 0.5 },
      { x: 1.01, y: 0 },
      { x: -0.01, y: 0 },
      { x: '0.5', y: '0.5' },
      { x: null, y: 0 },
      undefined,
    ])
      assert.equal((await set(body)).status, 400, JSON.stringify(body))
    assert.equal(await version(), 1)
  })

  test('is of pictures alone', async () => {
    const other = await text()
    assert.equal(await shown(other), null)
    for (const body of [{ x: 0.5, y: 0.5 }, null]) {
      const answer = await client['set-focal-point']({ params: { id: other }, body })
      assert.deepEqual([answer.status, (answer.body as { code?: string }).code], [400, 'not_a_picture'])
    }
    const replaced = await client['replace-metadata']({ params: { id: other }, body: { focal_point: { x: 0.5, y: 0.5 } } })
    assert.deepEqual([replaced.status, (replaced.body as { code?: string }).code], [400, 'not_a_picture'])
    assert.equal((await client['replace-metadata']({ params: { id: other }, body: { focal_point: null } })).status, 200)
  })

  test('stays where the metadata is replaced without it, and changes in the same step with it', async () => {
    await set({ x: 0.25, y: 0.75 })
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'Title' } } })
    await client['set-title']({ params: { id }, body: { en: 'Another' } })
    assert.deepEqual(await shown(), { x: 0.25, y: 0.75 })
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'Title' }, focal_point: { x: 0.1, y: 0.2 } } })
    assert.deepEqual([await shown(), await version()], [{ x: 0.1, y: 0.2 }, 5])
    await client['replace-metadata']({ params: { id }, body: { focal_point: null } })
    assert.equal(await shown(), null)
  })

  test('takes If-Match and Idempotency-Key, also where nothing changes', async () => {
    await set({ x: 0.5, y: 0.5 })
    assert.equal((await set({ x: 0.5, y: 0.5 }, { headers: { 'If-Match': '"1"' } })).status, 412)
    assert.equal((await set({ x: 0.5, y: 0.5 }, { headers: { 'If-Match': '"2"' } })).status, 200)
    const headers = { 'Idempotency-Key': randomUUID() }
    const [first, again] = [await set({ x: 0.1, y: 0.1 }, { headers }), await set({ x: 0.1, y: 0.1 }, { headers })]
    assert.deepEqual([first.body, again.body], [first.body, first.body])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  test('needs WRITE; of another company it is 404', async () => {
    const stranger = await person({ companyId: await accounts.company('Another'), admin: true })
    const reader = await person()
    await accounts.grant(folder, reader.userId, ['READ'])
    assert.equal((await reader.client['set-focal-point']({ params: { id }, body: null })).status, 403)
    assert.equal((await stranger.client['set-focal-point']({ params: { id }, body: null })).status, 404)
  })

  test('is told as an edit', async () => {
    const { cursor } = (await client['list-events']({ query: { cursor: 'now' } })).body
    await set({ x: 0.5, y: 0.5 })
    await set({ x: 0.5, y: 0.5 })
    const { events } = await until(async () => {
      const { body } = await client['list-events']({ query: { cursor } })
      return body.events.length > 0 && body
    })
    assert.deepEqual(
      events.map(({ type }) => type),
      ['media.updated'],
    )
  })

  test('changes in bulk; other files than pictures are refused; the undo puts back what nobody changed since', async () => {
    const [second, third, other] = [await picture(), await picture(), await text()]
    await client['set-focal-point']({ params: { id: second }, body: { x: 0.2, y: 0.2 } })
    await client['set-focal-point']({ params: { id: third }, body: { x: 0.7, y: 0.7 } })
    const ended = (job_id: string) =>
      until(async () => {
        const { body } = await client['get-bulk']({ params: { job_id } })
        return body.state !== 'PENDING' && body
      })
    const change = { focal_point: { x: 0.70001, y: 0.7 } }
    const { body } = await client['change-media-in-bulk']({ body: { select: { ids: [id, second, third, other] }, change } })
    const done = await ended(body.job_id)
    assert.deepEqual([done.changed, done.unchanged, done.refused], [2, 1, [{ media_id: other, code: 'not_a_picture' }]])
    assert.deepEqual(
      [await shown(), await shown(second)],
      [
        { x: 0.7, y: 0.7 },
        { x: 0.7, y: 0.7 },
      ],
    )
    await client['set-title']({ params: { id: second }, body: { en: 'Meanwhile' } })
    const undone = await ended((await client['undo-bulk']({ params: { job_id: body.job_id } })).body.job_id)
    assert.deepEqual([undone.changed, undone.refused_total], [2, 0])
    assert.deepEqual([await shown(), await shown(second), await shown(third)], [null, { x: 0.2, y: 0.2 }, { x: 0.7, y: 0.7 }])

    const cleared = await client['change-media-in-bulk']({ body: { select: { ids: [second, third] }, change: { focal_point: null } } })
    await ended(cleared.body.job_id)
    await client['set-focal-point']({ params: { id: third }, body: { x: 0.9, y: 0.9 } })
    const conflicting = await ended((await client['undo-bulk']({ params: { job_id: cleared.body.job_id } })).body.job_id)
    assert.deepEqual(conflicting.refused, [{ media_id: third, code: 'changed_since' }])
    assert.deepEqual(
      [await shown(second), await shown(third)],
      [
        { x: 0.2, y: 0.2 },
        { x: 0.9, y: 0.9 },
      ],
    )
  })
})
