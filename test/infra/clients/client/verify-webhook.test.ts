import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { verifyWebhook } from '../../../../infra/clients/client/client.ts'

const [key, otherKey] = [randomBytes(32), randomBytes(24)]
const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`
const body = JSON.stringify({
  type: 'media.created',
  timestamp: '2026-05-17T10:00:00Z',
  data: { id: '1-1', data: { media_id: 7 }, text: 'Ærø' },
})
const now = () => Math.floor(Date.now() / 1000)

/** Headers of a delivery, signed as the standard says. */
function signed(keys: readonly Buffer[], { text = body, at = now(), id = '1-1' } = {}) {
  const signatures = keys.map((each) => `v1,${createHmac('sha256', each).update(`${id}.${at}.${text}`).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signatures.join(' ') }
}

describe('verifyWebhook', () => {
  test('tells what a delivery says, of headers and bodies of all kinds', async () => {
    const message = await verifyWebhook(signed([key]), body, secretOf(key))
    assert.deepEqual(message, JSON.parse(body))
    assert.deepEqual(await verifyWebhook(new Headers(signed([key])), Buffer.from(body), [secretOf(key)]), message)
  })

  test('takes each of two secrets while they change, on both sides', async () => {
    const both = [secretOf(otherKey), secretOf(key)]
    for (const keys of [[key], [otherKey], [key, otherKey]]) await verifyWebhook(signed(keys), body, both)
    for (const secret of both) await verifyWebhook(signed([key, otherKey]), body, secret)
  })

  test('refuses other bodies, ids, times and secrets, and what is not signed', async () => {
    const headers = signed([key])
    const refused: [Record<string, string>, string, string][] = [
      [headers, body.replace('7', '8'), secretOf(key)],
      [{ ...headers, 'webhook-id': '1-2' }, body, secretOf(key)],
      [{ ...headers, 'webhook-timestamp': String(now() + 1) }, body, secretOf(key)],
      [headers, body, secretOf(otherKey)],
      [{ ...headers, 'webhook-signature': '' }, body, secretOf(key)],
      [{ ...headers, 'webhook-signature': 'v1,' }, body, secretOf(key)],
      [{ ...headers, 'webhook-signature': 'v1,%%%' }, body, secretOf(key)],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -6) }, body, secretOf(key)],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') }, body, secretOf(key)],
      [{}, body, secretOf(key)],
    ]
    for (const [given, text, secret] of refused)
      await assert.rejects(verifyWebhook(given, text, secret), { name: 'MediaLibraryError', status: 401, code: 'webhook_signature' })
  })

  test('refuses what was sent long ago, or will be', async () => {
    for (const at of [now() - 600, now() + 600, 'soon' as unknown as number])
      await assert.rejects(verifyWebhook(signed([key], { at }), body, secretOf(key)), { status: 401, code: 'webhook_timestamp' })
    for (const seconds of [-240, 240]) await verifyWebhook(signed([key], { at: now() + seconds }), body, secretOf(key))
  })

  test('says that a secret is none, and takes no message for an empty one', async () => {
    for (const secret of ['', 'whsec_', 'whsec_***']) await assert.rejects(verifyWebhook(signed([key]), body, secret), TypeError)
    const headers = signed([Buffer.alloc(0)])
    await assert.rejects(verifyWebhook(headers, body, []), { code: 'webhook_signature' })
  })
})
