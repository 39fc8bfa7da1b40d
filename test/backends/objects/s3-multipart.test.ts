import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { HttpResponse } from '@smithy/core/protocols'
import { describe, test } from 'vitest'
import { InvalidParts, ObjectsUnavailable, type Part } from '../../../shared/backends/objects/port.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { uploadParts } from '../../../shared/backends/objects/s3-multipart.ts'
import { sdkLabels } from '../../../shared/backends/objects/s3-values.ts'
import { within } from '../../../shared/deadline.ts'

const upload = { Bucket: 'bucket', Key: 'key', UploadId: 'upload' }

/** A client whose requests wait until they all fail. */
function stalledClient() {
  const stalled = Promise.withResolvers<never>()
  const state = { requests: 0 }
  const client = new S3Client({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: {
      handle: () => {
        state.requests += 1
        return stalled.promise
      },
    },
  })
  return { client, state, fail: () => stalled.reject(new Error('the storage broke')) }
}

describe('multipart uploads to S3', () => {
  const kinds: [string, number, number, (number: number) => Part][] = [
    ['bytes', 4, 1, (number) => ({ number, bytes: Buffer.from('part') })],
    ['copies', 48, 0, (number) => ({ number, copy: 'source', size: 10 })],
  ]
  for (const [kind, atOnce, waiting, part] of kinds) {
    test(`of ${kind} ${atOnce} run at a time, and ${waiting} more is taken from the source`, async () => {
      const { client, state, fail } = stalledClient()
      let pulled = 0
      async function* endless() {
        for (;;) {
          pulled += 1
          yield part(pulled)
        }
      }
      const uploading = uploadParts(client, upload, endless())
      while (state.requests < atOnce) await turn()
      for (let turns = 0; turns < 100; turns += 1) await turn()
      assert.deepEqual([state.requests, pulled], [atOnce, atOnce + waiting])
      fail()
      await assert.rejects(uploading, /the storage broke/)
      assert.deepEqual([state.requests, pulled], [atOnce, atOnce + waiting], 'nothing is begun after the failure')
      client.destroy()
    })
  }

  test('a copy for which a run has no time left is aborted, and leaves no parts behind', async () => {
    const requests: string[] = []
    const answers: Record<string, { headers?: Record<string, string>; body?: string }> = {
      HEAD: { headers: { 'content-length': String(10 * 1024 ** 3), etag: '"one"' } },
      PUT: { body: '<CopyPartResult><ETag>"two"</ETag></CopyPartResult>' },
      POST: { body: '<InitiateMultipartUploadResult><UploadId>upload</UploadId></InitiateMultipartUploadResult>' },
    }
    const client = new S3Client({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      requestHandler: {
        handle: async ({ method }: { method: string }) => {
          requests.push(method)
          const { headers = {}, body = '' } = answers[method] ?? {}
          return { response: new HttpResponse({ statusCode: method === 'DELETE' ? 204 : 200, headers, body: Readable.from([body]) }) }
        },
      },
    })
    const copying = within(0, () => s3Objects({ bucket: 'bucket', client }).copy({ key: 'a' }, 'b', { contentType: 'text/plain' }))
    await assert.rejects(copying, ObjectsUnavailable)
    assert.deepEqual(requests, ['HEAD', 'POST', 'PUT', 'DELETE'])
    client.destroy()
  })

  test('parts that S3 would refuse are refused before they are sent', async () => {
    const { client, state } = stalledClient()
    const GiB = 1024 ** 3
    const refused: Part[] = [
      { number: 10_001, bytes: Buffer.from('one too many') },
      { number: 1, copy: 'source', size: 5 * GiB + 1 },
      { number: 1, copy: 'source', start: 0, end: 5 * GiB },
      { number: 1, bytes: new Uint8Array() },
    ]
    for (const part of refused) {
      const one = async function* () {
        yield part
      }
      await assert.rejects(uploadParts(client, upload, one()), InvalidParts)
    }
    assert.equal(state.requests, 0)
    client.destroy()
  })
})

test('a class of storage is named to S3 where an object has one', () => {
  const classOf = (labels: object) => sdkLabels({ contentType: 'image/jpeg', ...labels }).StorageClass
  assert.deepEqual([classOf({ storageClass: 'INTELLIGENT_TIERING' }), classOf({})], ['INTELLIGENT_TIERING', undefined])
})
