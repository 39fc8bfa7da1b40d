import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import type { Pace } from '../../../../../infra/local/http/uploads/pace.ts'
import { keys } from '../../../../backends/objects/contract.ts'
import { formParts, multipart, postForm } from '../../../../backends/objects/post-form.ts'
import { aForm } from '../../../../backends/objects/upload-form-contract.ts'
import { type UploadServer, uploadServer } from './upload-server.ts'

const HOUR = 3_600_000
/** Milliseconds between two pieces of a post. */
const PAUSE = 20

async function posting(pace: Pace, post: (under: UploadServer) => Promise<void>): Promise<void> {
  const under = await uploadServer(pace)
  try {
    await post(under)
    assert.deepEqual(under.failures, [])
  } finally {
    await under.close()
  }
}

/** Posts a form, at once up to a place in it, then in small pieces. @returns the answer, and whether all of the post was sent by then */
async function trickle(under: UploadServer, file: Buffer, { atOnce, piece }: { atOnce: number; piece: number }) {
  const { contentType, body } = multipart(formParts(await aForm(under), file, 'a.jpg'))
  const headers = { 'content-type': contentType, 'content-length': body.length }
  const post = request({ port: under.port, method: 'POST', headers })
  const answered = once(post, 'response')
  let done = false
  const sent = send(post, body, { atOnce: atOnce < 0 ? body.length + atOnce : atOnce, piece }, () => done)
  const [response] = await answered
  done = true
  const code = /<Code>(\w+)<\/Code>/.exec(await textOf(response))?.[1]
  return { status: response.statusCode, code, whole: await sent }
}

async function send(post: ClientRequest, body: Buffer, { atOnce, piece }: { atOnce: number; piece: number }, done: () => boolean) {
  post.on('error', () => undefined)
  post.write(body.subarray(0, atOnce))
  for (let at = atOnce; at < body.length; at += piece) {
    await sleep(PAUSE)
    if (done()) {
      post.destroy()
      return false
    }
    post.write(body.subarray(at, at + piece))
  }
  post.end()
  return true
}

describe('an upload that trickles in', () => {
  const refused = { status: 400, code: 'RequestTimeout', whole: false }
  test.each([
    {
      what: 'is refused when what comes before the file takes too long',
      pace: { beforeFileMs: 200, windowMs: HOUR, windowBytes: 1 },
      ...{ bytes: 4, atOnce: 0, piece: 1, outcome: refused, kept: [] },
    },
    {
      what: 'is refused when the file comes too slowly, and nothing is kept',
      pace: { beforeFileMs: HOUR, windowMs: 200, windowBytes: 1_000 },
      ...{ bytes: 100_000, atOnce: -90_000, piece: 1, outcome: refused, kept: [] },
    },
    {
      what: 'is taken when it keeps the least rate, however long it takes',
      pace: { beforeFileMs: HOUR, windowMs: 1_000, windowBytes: 10 },
      ...{ bytes: 10_000, atOnce: -9_000, piece: 75, outcome: { status: 303, code: undefined, whole: true }, kept: ['uploads/abc/a.jpg'] },
    },
  ])('$what', ({ pace, bytes, outcome, kept, ...pieces }) =>
    posting(pace, async (under) => {
      assert.deepEqual(await trickle(under, Buffer.alloc(bytes), pieces), outcome)
      assert.deepEqual(await keys(under.objects, ''), kept)
    }),
  )

  test('is not to blame for a disk that takes long to store what is there', () =>
    posting({ beforeFileMs: HOUR, windowMs: 50, windowBytes: 1_000 }, async (under) => {
      const put = under.objects.put.bind(under.objects)
      under.objects.put = async (key, body, labels) => {
        const stored = await put(key, body, labels)
        await sleep(500)
        return stored
      }
      const answer = await postForm((await aForm(under)).action, formParts(await aForm(under), Buffer.alloc(2_000_000), 'a.jpg'))
      assert.equal(answer.status, 303)
    }))
})
