import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, it } from 'vitest'
import { embeddedLayout } from '../../../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../../../shared/backends/objects/embedded.ts'
import { formParts, multipart } from '../../../../backends/objects/post-form.ts'
import { serviceWithAccounts } from '../../../../support/service-with-accounts.ts'
import { until } from '../../../../support/until.ts'
import { imported, postForm } from '../../../../support/uploading.ts'

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const codeIn = (text: string) => /<Code>(\w+)<\/Code>/.exec(text)?.[1]

describe('upload forms of the single-machine server', async () => {
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  const uploads = openEmbeddedObjects(embeddedLayout(service.directory!).uploads)
  afterAll(() => uploads.close())

  const register = async () => (await client['register-upload']({ body: { folder: service.demo.folder_id } })).body
  const finalize = async (posted: Response) =>
    ((await (await fetch(posted.headers.get('location')!)).json()) as { media_id: number }).media_id
  const keysOf = async (form: Awaited<ReturnType<typeof register>>) => {
    const key = form.fields.find(({ name }) => name === 'key')
    const prefix = /^[^/]*\//.exec(key?.value ?? '')?.[0] ?? ''
    return (await uploads.list(prefix)).objects.map((object) => object.key.slice(prefix.length))
  }
  async function assertRefused(answer: Response): Promise<void> {
    assert.deepEqual([answer.status, codeIn(await answer.text())], [403, 'AccessDenied'])
  }

  /** Begins to post a form. @returns what posts the rest, and the answer */
  async function beginning(form: Awaited<ReturnType<typeof register>>, file: Buffer, filename: string) {
    const fields = form.fields.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
    const { contentType, body } = multipart(formParts({ action: form.action, fields }, file, filename))
    const headers = { 'content-type': contentType, 'content-length': body.length, expect: '100-continue' }
    const post: ClientRequest = request(form.action, { method: 'POST', headers })
    const half = body.length - Math.floor(file.length / 2)
    post.flushHeaders()
    await once(post, 'continue')
    post.write(body.subarray(0, half))
    const end = async () => {
      post.end(body.subarray(half))
      const [response] = (await once(post, 'response')) as [IncomingMessage]
      return { status: response.statusCode, code: codeIn(await textOf(response)) }
    }
    return { end }
  }

  it('refuse a file once their upload is finalized: it stays the one that was imported, and nothing is left', async () => {
    const form = await register()
    const first = Buffer.from('the first file')
    const id = await finalize(await postForm(form, first, 'a.txt'))
    await assertRefused(await postForm(form, Buffer.from('another file'), 'a.txt'))
    await assertRefused(await postForm(form, Buffer.from('another file'), 'b.txt'))
    const media = await imported(client, id)
    assert.deepEqual([media.file_md5, media.file_disksize], [md5(first), first.length])
    await assertRefused(await postForm(form, Buffer.from('another file'), 'a.txt'))
    await until(async () => (await keysOf(form)).length === 0)
  })

  it('take a file again before that, and no second one', async () => {
    const form = await register()
    assert.equal((await postForm(form, Buffer.from('broken off'), 'a.txt')).status, 303)
    await assertRefused(await postForm(form, Buffer.from('second'), 'b.txt'))
    const posted = await postForm(form, Buffer.from('whole'), 'a.txt')
    assert.deepEqual(await keysOf(form), ['a.txt'])
    assert.equal((await imported(client, await finalize(posted))).file_md5, md5(Buffer.from('whole')))
  })

  it('refuse a file that is whole only after their upload was finalized', async () => {
    const form = await register()
    const [first, late] = [Buffer.from('the first file'), Buffer.alloc(300_000, 'late')]
    const slow = await beginning(form, late, 'a.txt')
    const id = await finalize(await postForm(form, first, 'a.txt'))
    assert.deepEqual(await slow.end(), { status: 403, code: 'AccessDenied' })
    assert.equal((await imported(client, id)).file_md5, md5(first))
    await until(async () => (await keysOf(form)).length === 0)
  })
})
