import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import type { ObjectReader, UploadForm, UploadForms } from '../../../shared/backends/objects/port.ts'
import { FILENAME_PLACEHOLDER } from '../../../shared/backends/objects/upload-policy.ts'
import { skippedFor } from '../../support/skipping.ts'
import { keys, text } from './contract.ts'
import { type FormPart, formParts, type PostAnswer, postForm } from './post-form.ts'
import type { Deviations } from './s3-deviations.ts'

/** A bucket that takes forms over HTTP, empty. */
interface FormsUnderTest {
  bucket: string
  forms: UploadForms
  objects: ObjectReader
  /** The storage's time, milliseconds since the epoch. */
  now(): number
  close(): Promise<void>
}

const cases: Record<string, (under: FormsUnderTest) => Promise<void>> = {
  async 'a posted file lands at the prefix and its name, and the client is sent on'(under) {
    const answer = await send(under, formParts(await aForm(under), 'the file', 'photo 1.jpg'))
    assert.equal(answer.status, 303)
    assert.match(answer.headers.get('location')!, /^https:\/\/api\.example\.com\/finalize\/abc\?/)
    assert.deepEqual([answer.redirected.get('bucket'), answer.redirected.get('key')], [under.bucket, 'uploads/abc/photo 1.jpg'])
    assert.equal(await stored(under, 'uploads/abc/photo 1.jpg'), 'the file')
    const { etag } = (await under.objects.head('uploads/abc/photo 1.jpg'))!
    assert.equal(answer.redirected.get('etag')!.replaceAll('"', ''), etag)
  },

  async 'a redirect that has a query keeps it'(under) {
    const form = await aForm(under, { redirect: 'https://api.example.com/finalize?id=abc&to=%2Fhome' })
    const { redirected } = await send(under, formParts(form, 'x', 'a.jpg'))
    assert.deepEqual([redirected.get('id'), redirected.get('to'), redirected.get('key')], ['abc', '/home', 'uploads/abc/a.jpg'])
  },

  async 'the name is what follows the last slash'(under) {
    await landsAt(under, {
      '../../etc/passwd': 'passwd',
      '/home/anna/a.jpg': 'a.jpg',
      'mixed\\dir/b.jpg': 'b.jpg',
      'dots..jpg': 'dots..jpg',
    })
  },

  async 'the name is what follows the last backslash'(under) {
    await landsAt(under, { 'C:\\dir\\photo.jpg': 'photo.jpg', 'C:\\Bilder\\ÆØÅ.tif': 'ÆØÅ.tif' })
  },

  async 'a name may be of any script, in raw UTF-8'(under) {
    const names = ['naïve.jpg', '日本語 写真.png', 'ÆØÅ.tif', '😀.gif', 'e\u0301.jpg']
    await landsAt(under, Object.fromEntries(names.map((name) => [name, name])))
  },

  async 'a client may fill the name in itself, and send the file without'(under) {
    const parts = formParts(await aForm(under), 'the file').map((part) =>
      part.name === 'key' ? { ...part, value: 'uploads/abc/own.jpg' } : part,
    )
    assert.equal((await send(under, parts)).status, 303)
    assert.equal(await stored(under, 'uploads/abc/own.jpg'), 'the file')
  },

  async 'bytes arrive as they are'(under) {
    const file = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256))
    const tricky = Buffer.concat([file, Buffer.from('\r\n--'), file, Buffer.from('\r\n------form-'), file, Buffer.from('\r\n')])
    await send(under, formParts(await aForm(under), tricky, 'bytes'))
    const { stream } = await under.objects.get('uploads/abc/bytes')
    assert.deepEqual(Buffer.concat(await stream.toArray()), tricky)
  },

  async 'fields after the file are ignored'(under) {
    const parts = [...formParts(await aForm(under), 'the file', 'a.jpg'), { name: 'key', value: 'elsewhere' }, { name: 'more', value: 'x' }]
    assert.equal((await send(under, parts)).status, 303)
    assert.deepEqual(await keys(under.objects, ''), ['uploads/abc/a.jpg'])
  },

  async 'files of exactly the smallest and the largest size are taken, and no others'(under) {
    const form = () => aForm(under, { minBytes: 2, maxBytes: 1000 })
    for (const size of [1001, 3_000_000]) await refused(under, formParts(await form(), 'x'.repeat(size), 'a'), 400, 'EntityTooLarge')
    for (const size of [0, 1]) await refused(under, formParts(await form(), 'x'.repeat(size), 'a'), 400, 'EntityTooSmall')
    for (const size of [2, 1000]) assert.equal((await send(under, formParts(await form(), 'x'.repeat(size), `${size}`))).status, 303)
  },

  async 'an expired form is refused'(under) {
    const form = await aForm(under, { expires: under.now() - 1000 })
    await refused(under, formParts(form, 'x', 'a.jpg'), 403, 'AccessDenied')
  },

  async 'a policy, signature, credential or redirect that was tampered with is refused'(under) {
    const form = await aForm(under)
    const field = (name: string) => form.fields.find(isCalled(name))!.value
    const widened = Buffer.from(Buffer.from(field('policy'), 'base64').toString().replace('uploads/abc/', '')).toString('base64')
    await refused(under, changed(form, 'policy', widened), 403, 'SignatureDoesNotMatch')
    await refused(under, changed(form, 'x-amz-signature', '0'.repeat(64)), 403, 'SignatureDoesNotMatch')
    for (const signature of ['', 'ü']) await refused(under, changed(form, 'x-amz-signature', signature))
    const credential = field('x-amz-credential')
    for (const other of [credential.replace(/\d{8}/, '20200101'), `other-${credential}`, 'none'])
      await refused(under, changed(form, 'x-amz-credential', other))
    await refused(under, changed(form, 'success_action_redirect', 'https://evil.example.com/'), 403, 'AccessDenied')
  },

  async 'a key outside of the prefix is refused'(under) {
    for (const key of [`elsewhere/${FILENAME_PLACEHOLDER}`, 'uploads/ab/x', FILENAME_PLACEHOLDER, 'Uploads/abc/x']) {
      await refused(under, changed(await aForm(under), 'key', key), 403, 'AccessDenied')
    }
  },

  async 'a field that the policy does not name is refused'(under) {
    const parts = [{ name: 'acl', value: 'public-read' }, ...formParts(await aForm(under), 'x', 'a.jpg')]
    await refused(under, parts, 403, 'AccessDenied')
  },

  async 'a form without a policy or a file is refused'(under) {
    const parts = formParts(await aForm(under), 'x', 'a.jpg')
    for (const missing of ['policy', 'file']) {
      const others = parts.filter((part) => !isCalled(missing)(part))
      await refused(under, others, 400, 'InvalidArgument')
    }
  },

  async 'a form with the file first is refused'(under) {
    const parts = formParts(await aForm(under), 'x', 'a.jpg')
    await refused(under, [parts.at(-1)!, ...parts.slice(0, -1)], 400, 'InvalidArgument')
  },

  async 'fields of more than 20 KB are refused'(under) {
    const parts = [{ name: 'x-ignore-large', value: 'x'.repeat(30_000) }, ...formParts(await aForm(under), 'x', 'a.jpg')]
    await refused(under, parts, 400, 'MaxPostPreDataLengthExceeded')
  },

  async 'a name that makes the key too long is refused'(under) {
    await refused(under, formParts(await aForm(under), 'x', `${'x'.repeat(1100)}.jpg`), 400, 'KeyTooLongError')
  },

  async 'a form lives for an hour at most'(under) {
    await assert.rejects(aForm(under, { expires: under.now() + 3_700_000 }), RangeError)
  },
}

/**
 * What every maker of upload forms, together with the storage that takes them, promises.
 * @param deviations of an engine that stands in for AWS: cases that it is known to fail, and how
 */
export function uploadFormContract(name: string, open: () => Promise<FormsUnderTest>, deviations: Deviations = {}): void {
  describe(`upload form contract: ${name}`, () => {
    for (const title of Object.keys(deviations)) assert.ok(title in cases, `no such case: ${title}`)
    for (const [title, check] of Object.entries(cases)) {
      test(title, skippedFor(deviations[title]), async () => {
        const under = await open()
        onTestFinished(() => under.close())
        await check(under)
      })
    }
  })
}

export function aForm(under: FormsUnderTest, limits: Partial<Parameters<UploadForms['uploadForm']>[0]> = {}): Promise<UploadForm> {
  return under.forms.uploadForm({
    keyPrefix: 'uploads/abc/',
    minBytes: 1,
    maxBytes: 5_000_000,
    expires: under.now() + 600_000,
    redirect: 'https://api.example.com/finalize/abc',
    ...limits,
  })
}

/** Posts files under the names that are the record's keys, and finds them under its values. */
async function landsAt(under: FormsUnderTest, names: Record<string, string>): Promise<void> {
  for (const [sent, name] of Object.entries(names)) {
    const { redirected } = await send(under, formParts(await aForm(under), sent, sent))
    assert.equal(redirected.get('key'), `uploads/abc/${name}`)
    assert.equal(await stored(under, `uploads/abc/${name}`), sent)
  }
}

async function send(under: FormsUnderTest, parts: readonly FormPart[]): Promise<PostAnswer> {
  return postForm((await aForm(under)).action, parts)
}

/** Without a status: malformed or forbidden, as the storage sees it. */
async function refused(under: FormsUnderTest, parts: readonly FormPart[], status?: number, code?: string): Promise<void> {
  const answer = await send(under, parts)
  assert.ok(status ? answer.status === status : [400, 403].includes(answer.status), `${answer.status} ${answer.code}`)
  if (code) assert.equal(answer.code, code)
  assert.deepEqual(await keys(under.objects, ''), [])
}

async function stored(under: FormsUnderTest, key: string): Promise<string> {
  return text((await under.objects.get(key)).stream)
}

function changed(form: UploadForm, name: string, value: string): FormPart[] {
  return formParts(form, 'x', 'a.jpg').map((part) => (isCalled(name)(part) ? { ...part, value } : part))
}

/** Storage reads names of fields in either case. */
const isCalled =
  (wanted: string) =>
  ({ name }: { name: string }): boolean =>
    name.toLowerCase() === wanted
