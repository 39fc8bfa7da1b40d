import assert from 'node:assert/strict'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { describe, test } from 'vitest'
import type { UploadForm } from '../../../shared/backends/objects/port.ts'
import { s3UploadForms } from '../../../shared/backends/objects/s3-upload-form.ts'
import { formatScope, parseScope, signPolicy } from '../../../shared/backends/objects/upload-policy.ts'

const role = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret/+key', sessionToken: 'session/token==' }
const redirect = 'https://api.example.com/f/abc'

async function form(options: S3ClientConfig = {}, seconds = 60): Promise<UploadForm> {
  const client = new S3Client({ region: 'eu-west-1', credentials: role, ...options })
  try {
    const limits = { keyPrefix: 'uploads/abc/', minBytes: 1, maxBytes: 1000, expires: Date.now() + seconds * 1000, redirect }
    return await s3UploadForms({ bucket: 'media-uploads', client }).uploadForm(limits)
  } finally {
    client.destroy()
  }
}

const field = ({ fields }: UploadForm, name: string) => fields.find((field) => field.name === name)!.value

describe('upload policy', () => {
  test('a form posts to the bucket, with the session of a role', async () => {
    const made = await form()
    assert.equal(made.action, 'https://media-uploads.s3.eu-west-1.amazonaws.com/')
    assert.equal(field(made, 'key'), 'uploads/abc/\u0024{filename}')
    assert.match(field(made, 'X-Amz-Credential'), /^ASIAEXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request$/)
    assert.equal(field(made, 'X-Amz-Security-Token'), role.sessionToken)
  })

  test('the policy names bucket, prefix, size, every field and the end', async () => {
    const before = Date.now()
    const made = await form()
    const { expiration, conditions } = JSON.parse(Buffer.from(field(made, 'Policy'), 'base64').toString())
    const lifetime = Date.parse(expiration) - before
    assert.ok(lifetime > 50_000 && lifetime <= 61_000, expiration)
    const free = ['key', 'Policy', 'X-Amz-Signature']
    const named = made.fields.filter(({ name }) => !free.includes(name)).map(({ name, value }) => ({ [name]: value }))
    assert.deepEqual(
      new Set(conditions.map((each: unknown) => JSON.stringify(each))),
      new Set([['starts-with', '$key', 'uploads/abc/'], ['content-length-range', 1, 1000], ...named].map((each) => JSON.stringify(each))),
    )
    assert.deepEqual(
      conditions.find((each: object) => 'bucket' in each),
      { bucket: 'media-uploads' },
    )
    assert.equal(field(made, 'success_action_redirect'), redirect)
  })

  test('the signature of S3 is the one that the local store checks', async () => {
    const made = await form()
    const scope = parseScope(field(made, 'X-Amz-Credential'))!
    assert.equal(formatScope(scope), field(made, 'X-Amz-Credential'))
    assert.equal(signPolicy(field(made, 'Policy'), scope, role.secretAccessKey), field(made, 'X-Amz-Signature'))
  })
})
