import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { permissionsOf, type WireRequest } from './sdk-calls.ts'

const where = { region: 'eu-west-1', accountId: '1' }
const table = 'arn:aws:dynamodb:eu-west-1:1:table/t'

/** `action resource` of what a request asks for. */
function asked(request: Partial<WireRequest>, status = 200): string[] {
  const whole = { method: 'POST', url: '/', headers: {}, body: '', ...request }
  return permissionsOf(whole, status, where).map(({ action, resource }) => `${action} ${resource}`)
}
const dynamo = (operation: string, input: object) =>
  asked({ headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` }, body: JSON.stringify(input) })

describe('the permissions that a call takes', () => {
  test('a transaction takes those of the operations it is made of', () => {
    const TransactItems = ['Put', 'Update', 'Delete', 'ConditionCheck'].map((sort) => ({ [sort]: { TableName: 't' } }))
    assert.deepEqual(
      dynamo('TransactWriteItems', { TransactItems }),
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((action) => `dynamodb:${action} ${table}`),
    )
  })

  test('a query of an index takes the right to that index', () => {
    assert.deepEqual(dynamo('Query', { TableName: 't' }), [`dynamodb:Query ${table}`])
    assert.deepEqual(dynamo('Query', { TableName: 't', IndexName: 'i' }), [`dynamodb:Query ${table}/index/i`])
  })

  test('a batch of reads takes one on each table', () => {
    assert.deepEqual(dynamo('BatchGetItem', { RequestItems: { t: {} } }), [`dynamodb:BatchGetItem ${table}`])
  })

  test('batches of messages are messages', () => {
    const body = JSON.stringify({ QueueUrl: 'http://127.0.0.1/1/q' })
    assert.deepEqual(asked({ headers: { 'x-amz-target': 'AmazonSQS.SendMessageBatch' }, body }), [
      'sqs:SendMessage arn:aws:sqs:eu-west-1:1:q',
    ])
  })

  test('giving a message back takes the right to change how long it is hidden', () => {
    const body = JSON.stringify({ QueueUrl: 'http://127.0.0.1/1/q', ReceiptHandle: 'r', VisibilityTimeout: 2 })
    assert.deepEqual(asked({ headers: { 'x-amz-target': 'AmazonSQS.ChangeMessageVisibility' }, body }), [
      'sqs:ChangeMessageVisibility arn:aws:sqs:eu-west-1:1:q',
    ])
  })

  test('who has a picture looked at reads it', () => {
    const picture = { Image: { S3Object: { Bucket: 'media', Name: '1/2/renditions/1200x800' } } }
    const headers = { 'x-amz-target': 'RekognitionService.DetectLabels' }
    assert.deepEqual(asked({ headers, body: JSON.stringify(picture) }), [
      'rekognition:DetectLabels *',
      's3:GetObject arn:aws:s3:::media/1/2/renditions/1200x800',
    ])
    assert.throws(() => asked({ headers, body: '{"Image":{"Bytes":""}}' }), /no permissions are known/)
  })

  test('an invalidation is of one distribution', () => {
    const url = '/2020-05-31/distribution/E1/invalidation'
    assert.deepEqual(asked({ method: 'POST', url }), ['cloudfront:CreateInvalidation arn:aws:cloudfront::1:distribution/E1'])
    assert.deepEqual(asked({ method: 'GET', url: `${url}/I1` }), ['cloudfront:GetInvalidation arn:aws:cloudfront::1:distribution/E1'])
    assert.throws(() => asked({ method: 'GET', url }), /no permissions are known/)
  })

  test('a job of MediaConvert is made in a queue, with a role that is passed to it', () => {
    const url = '/2017-08-29/jobs'
    const body = JSON.stringify({ queue: 'arn:queue', role: 'arn:role', settings: {} })
    assert.deepEqual(asked({ url, body }), ['mediaconvert:CreateJob arn:queue', 'iam:PassRole arn:role'])
    assert.deepEqual(asked({ method: 'GET', url: '/2017-08-29/search?inputFile=s3%3A%2F%2Fb%2Fk&queue=arn%3Aqueue' }), [
      'mediaconvert:SearchJobs arn:queue',
    ])
    const job = 'arn:aws:mediaconvert:eu-west-1:1:jobs/1700000000000-abc123'
    assert.deepEqual(asked({ method: 'GET', url: `${url}/1700000000000-abc123` }), [`mediaconvert:GetJob ${job}`])
    assert.deepEqual(asked({ method: 'DELETE', url: `${url}/1700000000000-abc123` }), [`mediaconvert:CancelJob ${job}`])
    assert.throws(() => asked({ method: 'GET', url }), /no permissions are known/)
  })

  test('reading what is not there takes the right to list as well', () => {
    assert.deepEqual(asked({ method: 'HEAD', url: '/b/a%20key' }), ['s3:GetObject arn:aws:s3:::b/a key'])
    assert.deepEqual(asked({ method: 'GET', url: '/b/k' }, 404), ['s3:GetObject arn:aws:s3:::b/k', 's3:ListBucket arn:aws:s3:::b'])
  })

  test('a key is not an address, whose dots would lead up', () => {
    assert.deepEqual(asked({ method: 'HEAD', url: '/b/a/../../k' }), ['s3:GetObject arn:aws:s3:::b/a/../../k'])
  })

  test('copying takes reading the source', () => {
    const copy = asked({ method: 'PUT', url: '/b/k?x-id=CopyObject', headers: { 'x-amz-copy-source': 'other/source%20key' } })
    assert.deepEqual(copy, ['s3:PutObject arn:aws:s3:::b/k', 's3:GetObject arn:aws:s3:::other/source key'])
  })

  test('uploads in parts are puts, given up by a right of its own', () => {
    assert.deepEqual(asked({ url: '/b/k?uploads' }), ['s3:PutObject arn:aws:s3:::b/k'])
    assert.deepEqual(asked({ method: 'DELETE', url: '/b/k?uploadId=1' }), ['s3:AbortMultipartUpload arn:aws:s3:::b/k'])
    assert.deepEqual(asked({ method: 'GET', url: '/b/k?uploadId=1' }), ['s3:ListMultipartUploadParts arn:aws:s3:::b/k'])
    assert.deepEqual(asked({ method: 'DELETE', url: '/b/k' }), ['s3:DeleteObject arn:aws:s3:::b/k'])
  })

  test('a deletion of many takes the right to each', () => {
    const body = '<Delete><Object><Key>a</Key></Object><Object><Key>b/c</Key></Object></Delete>'
    assert.deepEqual(asked({ url: '/b?delete', body }), ['s3:DeleteObject arn:aws:s3:::b/a', 's3:DeleteObject arn:aws:s3:::b/b/c'])
  })

  test('a deletion of a version takes a right of its own, too', () => {
    const both = ['s3:DeleteObject arn:aws:s3:::b/k', 's3:DeleteObjectVersion arn:aws:s3:::b/k']
    assert.deepEqual(asked({ method: 'DELETE', url: '/b/k?versionId=1' }), both)
    const body = '<Delete><Object><Key>k</Key><VersionId>1</VersionId></Object></Delete>'
    assert.deepEqual(asked({ url: '/b?delete', body }), both)
  })

  test('a posted form puts under the key that it names', () => {
    const body =
      '--x\r\nContent-Disposition: form-data; name="key"\r\n\r\nupload/1\r\n--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nbytes\r\n--x--'
    assert.deepEqual(asked({ url: '/b', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body }), [
      's3:PutObject arn:aws:s3:::b/upload/1',
    ])
  })

  test('what is not known is refused, so that nothing goes unjudged', () => {
    assert.throws(() => dynamo('Scan', { TableName: 't' }), /no permissions are known/)
    assert.throws(() => asked({ headers: { 'x-amz-target': 'KMS.Decrypt' }, body: '{}' }), /no permissions are known/)
    assert.throws(() => asked({ method: 'GET', url: '/b?acl' }), /no permissions are known/)
  })
})
