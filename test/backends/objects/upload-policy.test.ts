import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { describe, test } from 'vitest'
import { formatScope, parseScope, signPolicy } from '../../../shared/backends/objects/policy-signature.ts'
import type { UploadForm } from '../../../shared/backends/objects/port.ts'
import { s3UploadForms } from '../../../shared/backends/objects/s3-upload-form.ts'

const now = Date.parse('2024-05-17T10:11:12.345Z')
const clock = { now: () => now }
const role = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret/+key', sessionToken: 'session/token==' }
const limits = { keyPrefix: 'uploads/abc/', minBytes: 1, maxBytes: 1000, expires: now + 60_000, redirect: 'https://api.example.com/f/abc' }

function forms(options: { region?: string; endpoint?: string } = {}): Promise<UploadForm> {
  const s3 = { bucket: 'media-uploads', region: 'eu-west-1', clock, credentials: async () => role, ...options }
  return s3UploadForms(s3).uploadForm(limits)
}

function field(form: UploadForm, name: string): string {
  return form.fields.find((field) => field.name === name)!.value
}

describe('upload policy', () => {
  test('a form posts to the bucket, with the session of a role', async () => {
    const form = await forms()
    assert.equal(form.action, 'https://media-uploads.s3.eu-west-1.amazonaws.com/')
    assert.deepEqual(
      form.fields.map(({ name }) => name),
      [
        'key',
        'success_action_redirect',
        'x-amz-algorithm',
        'x-amz-credential',
        'x-amz-date',
        'x-amz-security-token',
        'policy',
        'x-amz-signature',
      ],
    )
    assert.equal(field(form, 'key'), 'uploads/abc/\u0024{filename}')
    assert.equal(field(form, 'x-amz-credential'), 'ASIAEXAMPLE/20240517/eu-west-1/s3/aws4_request')
    assert.equal(field(form, 'x-amz-date'), '20240517T101112Z')
    assert.equal(field(form, 'x-amz-security-token'), 'session/token==')
  })

  test('the policy names bucket, prefix, size, every field and the end', async () => {
    const form = await forms()
    const { expiration, conditions } = JSON.parse(Buffer.from(field(form, 'policy'), 'base64').toString())
    assert.equal(expiration, '2024-05-17T10:12:12.345Z')
    const named = ['success_action_redirect', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-security-token']
    assert.deepEqual(conditions, [
      { bucket: 'media-uploads' },
      ['starts-with', '$key', 'uploads/abc/'],
      ['content-length-range', 1, 1000],
      ...named.map((name) => ({ [name]: field(form, name) })),
    ])
  })

  test('other regions and services have other addresses', async () => {
    assert.equal((await forms({ region: 'cn-north-1' })).action, 'https://media-uploads.s3.cn-north-1.amazonaws.com.cn/')
    assert.equal((await forms({ endpoint: 'http://127.0.0.1:9000/' })).action, 'http://127.0.0.1:9000/media-uploads')
  })

  test('the signature is the one that the AWS SDK makes', async () => {
    const client = new S3Client({ region: 'eu-west-1', credentials: role })
    const { fields } = await createPresignedPost(client, {
      Bucket: 'media-uploads',
      Key: 'uploads/abc/\u0024{filename}',
      Conditions: [['content-length-range', 1, 1000]],
    })
    const scope = parseScope(fields['X-Amz-Credential']!)!
    assert.equal(formatScope(scope), fields['X-Amz-Credential'])
    assert.equal(signPolicy(fields.Policy!, scope, role.secretAccessKey), fields['X-Amz-Signature'])
    client.destroy()
  })

  test('a scope that is none is told', () => {
    for (const value of [
      '',
      'key',
      'key/20240517/eu-west-1/sqs/aws4_request',
      'key/2024/eu-west-1/s3/aws4_request',
      'a/b/20240517/r/s3/aws4_request',
    ]) {
      assert.equal(parseScope(value), undefined, value)
    }
  })
})
