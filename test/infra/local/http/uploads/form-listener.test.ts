import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { keys } from '../../../../backends/objects/contract.ts'
import { formParts, multipart, postForm } from '../../../../backends/objects/post-form.ts'
import { aForm, uploadFormContract } from '../../../../backends/objects/upload-form-contract.ts'
import { until } from '../../../../support/until.ts'
import { type UploadServer, uploadServer } from './upload-server.ts'

uploadFormContract('embedded', uploadServer)

describe('embedded upload form', () => {
  function onServer(title: string, check: (under: UploadServer) => Promise<void>): void {
    test(title, async () => {
      const under = await uploadServer()
      try {
        await check(under)
        assert.deepEqual(under.failures, [])
      } finally {
        await under.close()
      }
    })
  }

  onServer('answers to other origins say that they may be read', async (under) => {
    const form = await aForm(under)
    const origin = { origin: 'https://app.example.com' }
    for (const [parts, status] of [
      [formParts(form, 'x', 'a.jpg'), 303],
      [[], 400],
    ] as const) {
      const { status: got, headers } = await postForm(form.action, parts, origin)
      assert.equal(got, status)
      assert.equal(headers.get('access-control-allow-origin'), 'https://app.example.com')
      assert.equal(headers.get('vary'), 'Origin')
    }
    const preflight = await fetch(form.action, { method: 'OPTIONS', headers: origin })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
    assert.equal((await postForm(form.action, [])).headers.get('access-control-allow-origin'), null)
  })

  onServer('only multipart forms that are posted are taken', async (under) => {
    const { action } = await aForm(under)
    for (const [method, headers, body, status] of [
      ['GET', {}, undefined, 405],
      ['PUT', {}, 'x', 405],
      ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 'key=x', 412],
      ['POST', { 'content-type': 'multipart/form-data' }, 'x', 412],
      ['POST', { 'content-type': 'multipart/form-data; boundary=x' }, 'no boundary anywhere', 400],
      ['POST', { 'content-type': 'multipart/form-data; boundary=x' }, '', 400],
    ] as const) {
      const response = await fetch(action, { method, headers, ...(body !== undefined && { body }) })
      assert.equal(response.status, status, `${method} ${JSON.stringify(headers)}`)
      assert.match(await response.text(), /^<\?xml .*<Error><Code>\w+<\/Code>/s)
    }
  })

  onServer('a NUL in a name is refused', async (under) => {
    const { status, code } = await postForm((await aForm(under)).action, formParts(await aForm(under), 'x', 'a\0.jpg'))
    assert.deepEqual([status, code], [400, 'InvalidArgument'])
  })

  onServer('headers of parts are read to a limit, and all of them count to what may come before the file', async (under) => {
    const { action } = await aForm(under)
    const [file, ...fields] = formParts(await aForm(under), 'x', 'a.jpg').reverse()
    const withHeader = (length: number) => [...fields.toReversed(), { ...file!, headers: [`X-Long: ${'x'.repeat(length)}`] }]
    assert.equal((await postForm(action, withHeader(100_000))).status, 303)
    assert.equal((await postForm(action, withHeader(400_000))).code, 'MaxPostPreDataLengthExceeded')
    const junk = { name: 'x-ignore', value: '', headers: [`X-Long: ${'x'.repeat(400_000)}`] }
    assert.equal((await postForm(action, [junk, ...withHeader(1)])).code, 'MaxPostPreDataLengthExceeded')
    assert.deepEqual(await keys(under.objects, ''), ['uploads/abc/a.jpg'])
  })

  onServer('a client that still sends gets the answer', async (under) => {
    const form = await aForm(under, { maxBytes: 1000 })
    const { contentType, body } = multipart(formParts(form, Buffer.alloc(40_000_000), 'a.jpg'))
    const post = request({ port: under.port, method: 'POST', headers: { 'content-type': contentType, 'content-length': body.length } })
    const answered = once(post, 'response')
    post.end(body)
    const [response] = await answered
    assert.equal(response.statusCode, 400)
    const closed = once(post, 'close')
    assert.match(await textOf(response), /EntityTooLarge/)
    await closed
  })

  onServer('nothing is kept of a client that goes away, and the server goes on', async (under) => {
    const { contentType, body } = multipart(formParts(await aForm(under), Buffer.alloc(2_000_000), 'a.jpg'))
    const socket = connect(under.port, '127.0.0.1')
    const head = `POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head)
    socket.write(body.subarray(0, 1_000_000))
    await once(under.server, 'request')
    socket.destroy()
    assert.equal((await postForm((await aForm(under)).action, formParts(await aForm(under), 'x', 'b.jpg'))).status, 303)
    const [incoming] = await readdir(join(under.directory, 'incoming'))
    await until(async () => (await readdir(join(under.directory, 'incoming', incoming!))).length === 0)
    assert.deepEqual(await keys(under.objects, ''), ['uploads/abc/b.jpg'])
  })

  onServer('a body that ends within the file is refused', async (under) => {
    const { contentType, body } = multipart(formParts(await aForm(under), Buffer.alloc(200_000), 'a.jpg'))
    const response = await fetch((await aForm(under)).action, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: body.subarray(0, 150_000),
    })
    assert.equal(response.status, 400)
    assert.deepEqual(await keys(under.objects, ''), [])
  })

  test('a storage that fails answers 500, says nothing of the inside, and reports it', async () => {
    const under = await uploadServer()
    const form = await aForm(under)
    under.objects.put = async () => {
      throw new Error('disk full at /data')
    }
    const response = await postForm(form.action, formParts(form, 'x', 'a.jpg'))
    assert.deepEqual([response.status, response.code], [500, 'InternalError'])
    assert.match(String(under.failures), /disk full/)
    await under.close()
  })
})
