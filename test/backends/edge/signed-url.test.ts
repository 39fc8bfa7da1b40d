import assert from 'node:assert/strict'
import { createVerify, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { cloudFrontUrls } from '../../../shared/backends/edge/cloudfront.ts'
import { embeddedUrls, embeddedVerifyingKeys } from '../../../shared/backends/edge/embedded.ts'
import { urlSigner, verifySignedUrl } from '../../../shared/backends/edge/signed-url.ts'
import { newSigningKey, readSigningKey, withId } from '../../../shared/backends/secrets/signing-key.ts'
import { signingSecrets } from './signing-keys.ts'

const expires = 1_700_000_300_999
const before = 1_700_000_299_999
const after = 1_700_000_300_000

const key = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a b', '+', '%2e%2e', '?', '#', '&Expires=1', 'naïve', '日本', '😀', "!'()*")),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((segments) => segments.join('/'))
  .filter((key) => key !== '' && key.isWellFormed() && !key.split('/').some((segment) => segment === '.' || segment === '..'))
const delivery = fc.record(
  { disposition: fc.string({ unit: 'grapheme' }), contentType: fc.constantFrom('image/jpeg', 'text/html; charset=utf-8') },
  { requiredKeys: [] },
)

/** The rule as the documentation of CloudFront has it, written once more by other means. */
function isSignedByRule(url: string, publicKey: KeyObject): boolean {
  const [, resource, expires, signature] = /^(.+)[?&]Expires=(\d+)&Signature=([\w~-]+)&Key-Pair-Id=\w+&Hash-Algorithm=SHA256$/.exec(url)!
  const statement = { Resource: resource, Condition: { DateLessThan: { 'AWS:EpochTime': Number(expires) } } }
  const alphabet: Record<string, string> = { '-': '+', _: '=', '~': '/' }
  const base64 = signature!.replace(/[-_~]/g, (character) => alphabet[character]!)
  return createVerify('sha256')
    .update(JSON.stringify({ Statement: [statement] }))
    .verify(publicKey, base64, 'base64')
}

describe('signed URLs', () => {
  test('any key and label is signed by the documented rule, and leads back to the key', async () => {
    const { secrets, publicKey } = signingSecrets()
    const signer = cloudFrontUrls({ baseUrl: 'https://d111.cloudfront.net', keyPairId: 'K123', secrets })
    await fc.assert(
      fc.asyncProperty(key, delivery, async (key, labels) => {
        const url = await signer.sign(key, { expires, ...labels })
        assert.ok(isSignedByRule(url, publicKey))
        const parsed = new URL(url)
        assert.equal(parsed.href, url, 'a client that parses the URL asks for the same one')
        assert.equal(decodeURIComponent(parsed.pathname.slice(1)), key)
        assert.equal(parsed.searchParams.get('response-content-disposition'), labels.disposition ?? null)
      }),
    )
  })

  test('a key that would lead to another object has no URL', async () => {
    const { secrets } = signingSecrets()
    const signer = cloudFrontUrls({ baseUrl: 'https://d111.cloudfront.net', keyPairId: 'K123', secrets })
    for (const key of ['..', 'a/../b', './a', 'a/.']) await assert.rejects(signer.sign(key, { expires }), RangeError)
  })

  test('a key that is rotated in signs from then on, and its URLs name it', async () => {
    const { secrets } = signingSecrets()
    const first = await secrets.get('urlSigningKey')
    let values = first
    const signer = cloudFrontUrls({ baseUrl: 'https://d111.cloudfront.net', keyPairId: 'K1', secrets: { get: async () => values } })
    const one = await signer.sign('a', { expires })
    values = { ...first, next: withId(newSigningKey(), 'K2') }
    assert.equal(await signer.sign('a', { expires }), one)
    values = { current: values.next!, previous: first.current }
    const two = await signer.sign('a', { expires })
    assert.match(one, /&Key-Pair-Id=K1&/)
    assert.match(two, /&Key-Pair-Id=K2&/)
    assert.equal(await signer.sign('a', { expires }), two)
  })

  test('the local server verifies what the key, the next and the one before have signed, and nothing of an earlier one', async () => {
    const keys = [newSigningKey(), ...['K2', 'K3', 'K4'].map((id) => withId(newSigningKey(), id))] as [string, string, string, string]
    const path = '/files'
    const urlOf = (current: string) =>
      embeddedUrls({ origin: '', path, secrets: { get: async () => ({ current }) } }).sign('a.jpg', { expires })
    const urls = await Promise.all(keys.map(urlOf))
    const verifying = embeddedVerifyingKeys({ get: async () => ({ current: keys[2], next: keys[3], previous: keys[1] }) })
    const verdicts = await Promise.all(urls.map(async (url) => verifySignedUrl(url, await verifying(), before)))
    assert.deepEqual(verdicts, ['forged', 'valid', 'valid', 'valid'])
    // The id alone is no proof.
    const lying = urls[0]!.replace('Key-Pair-Id=embedded', 'Key-Pair-Id=K3')
    assert.equal(verifySignedUrl(lying, await verifying(), before), 'forged')
  })

  test('the same object has the same URL for the same second and labels, and for others another that is valid', async () => {
    const { secrets, publicKey } = signingSecrets()
    const signer = embeddedUrls({ origin: 'http://127.0.0.1:4000', path: '/files', secrets })
    const [url, same] = await Promise.all([signer.sign('a.jpg', { expires }), signer.sign('a.jpg', { expires: expires - 900 })])
    assert.equal(same, url)
    assert.equal(await signer.sign('a.jpg', { expires }), url)
    const others = await Promise.all([
      signer.sign('b.jpg', { expires }),
      signer.sign('a.jpg', { expires: expires + 1 }),
      signer.sign('a.jpg', { expires, disposition: 'attachment' }),
      signer.sign('a.jpg', { expires, contentType: 'image/jpeg' }),
    ])
    assert.equal(new Set([url, ...others].map((each) => new URL(each).searchParams.get('Signature'))).size, 5)
    for (const each of others) assert.ok(isSignedByRule(each.slice('http://127.0.0.1:4000'.length), publicKey), each)
  })

  test('a URL of one machine is valid at any host, port and scheme', async () => {
    const { secrets } = signingSecrets()
    const sign = (origin: string) => embeddedUrls({ origin, path: '/files', secrets }).sign('a.jpg', { expires, disposition: 'inline' })
    const verifying = await embeddedVerifyingKeys(secrets)()
    for (const origin of ['http://127.0.0.1:4000', 'https://media.example.com']) {
      const url = await sign(origin)
      assert.ok(url.startsWith(`${origin}/files/a.jpg?response-content-disposition=inline&Expires=`), url)
      assert.equal(verifySignedUrl(url.slice(origin.length), verifying, before), 'valid')
    }
  })
})

describe('verifying signed URLs', () => {
  const { secrets } = signingSecrets()
  const signer = urlSigner('http://127.0.0.1:4000/files', async () =>
    readSigningKey((await secrets.get('urlSigningKey')).current, 'embedded'),
  )

  test('a URL is valid until the second it expires', async () => {
    const key = await embeddedVerifyingKeys(secrets)()
    const url = await signer.sign('a/ü.jpg', { expires, disposition: 'attachment' })
    assert.equal(verifySignedUrl(url, key, 0), 'valid')
    assert.equal(verifySignedUrl(url, key, before), 'valid')
    assert.equal(verifySignedUrl(url, key, after), 'expired')
  })

  test('a URL with any character changed, added or removed is forged', async () => {
    const verifying = await embeddedVerifyingKeys(secrets)()
    const url = await signer.sign('media/1/photo.jpg', { expires, disposition: 'attachment; filename="a.jpg"' })
    const character = fc.constantFrom(...'aZ09-_~&?=%/. ')
    await fc.assert(
      fc.property(fc.nat({ max: url.length - 1 }), fc.constantFrom('change', 'insert', 'remove'), character, (at, how, character) => {
        const tampered = url.slice(0, at) + (how === 'remove' ? '' : character) + url.slice(how === 'insert' ? at : at + 1)
        fc.pre(tampered !== url)
        assert.equal(verifySignedUrl(tampered, verifying, 0), 'forged')
      }),
      { numRuns: 300 },
    )
  })

  test('parameters more than once, missing or of another kind are forged', async () => {
    const verifying = await embeddedVerifyingKeys(secrets)()
    const url = await signer.sign('a.jpg', { expires })
    const [, signature] = /Signature=([^&]+)/.exec(url)!
    for (const tampered of [
      'http://127.0.0.1:4000/files/a.jpg',
      url.replace('Expires=1700000300', 'Expires=1800000300'),
      url.replace('http:', 'https:'),
      url.replace('Key-Pair-Id=embedded', 'Key-Pair-Id=other'),
      url.replace('&Hash-Algorithm=SHA256', ''),
      url.replace('SHA256', 'SHA1'),
      url.replace(signature!, ''),
      `${url}&Expires=1800000300`,
      `${url}&Signature=${signature}`,
      `${url}&more=1`,
    ]) {
      assert.equal(verifySignedUrl(tampered, verifying, 0), 'forged', tampered)
    }
  })
})
