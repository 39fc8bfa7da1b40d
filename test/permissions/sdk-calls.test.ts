import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { permissionsOf, type WireRequest } from './sdk-calls.ts'

type Given = Partial<WireRequest> & { status?: number }

/** `action resource` of what a request asks for. */
function asked({ status = 200, ...request }: Given): string[] {
  const whole = { method: 'POST', url: '/', headers: {}, body: '', ...request }
  return permissionsOf(whole, status, { region: 'eu-west-1', accountId: '1' }).map(({ action, resource }) => `${action} ${resource}`)
}

const targeted = (target: string, input: object): Given => ({ headers: { 'x-amz-target': target }, body: JSON.stringify(input) })
const dynamo = (operation: string, input: object) => targeted(`DynamoDB_20120810.${operation}`, input)
const table = 'arn:aws:dynamodb:eu-west-1:1:table/t'
const picture = { Image: { S3Object: { Bucket: 'media', Name: '1/2/renditions/1200x800' } } }
const invalidation = '/2020-05-31/distribution/E1/invalidation'
const job = '1700000000000-abc123'
const jobs = '/2017-08-29/jobs'
const form = ['--x', 'Content-Disposition: form-data; name="key"', '', 'upload/1', '--x', 'Content-Disposition: form-data; name="file"', '']

/** Requests, with what they take. */
const cases: readonly (readonly [string, Given, readonly string[]])[] = [
  [
    'a transaction takes those of the operations it is made of',
    dynamo('TransactWriteItems', {
      TransactItems: ['Put', 'Update', 'Delete', 'ConditionCheck'].map((sort) => ({ [sort]: { TableName: 't' } })),
    }),
    ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((action) => `dynamodb:${action} ${table}`),
  ],
  ['a query takes the right to the table', dynamo('Query', { TableName: 't' }), [`dynamodb:Query ${table}`]],
  ['a query of an index takes the right to it', dynamo('Query', { TableName: 't', IndexName: 'i' }), [`dynamodb:Query ${table}/index/i`]],
  ['a batch of reads takes one on each table', dynamo('BatchGetItem', { RequestItems: { t: {} } }), [`dynamodb:BatchGetItem ${table}`]],
  [
    'a parameter is named by its path',
    targeted('AmazonSSM.PutParameter', { Name: '/a/b' }),
    ['ssm:PutParameter arn:aws:ssm:eu-west-1:1:parameter/a/b'],
  ],
  [
    'who has a picture looked at reads it',
    targeted('RekognitionService.DetectLabels', picture),
    ['rekognition:DetectLabels *', 's3:GetObject arn:aws:s3:::media/1/2/renditions/1200x800'],
  ],
  [
    'an invalidation is of one distribution',
    { url: invalidation },
    ['cloudfront:CreateInvalidation arn:aws:cloudfront::1:distribution/E1'],
  ],
  [
    'an invalidation is looked at',
    { method: 'GET', url: `${invalidation}/I1` },
    ['cloudfront:GetInvalidation arn:aws:cloudfront::1:distribution/E1'],
  ],
  [
    'a job of MediaConvert is made in a queue, with a role that is passed to it',
    { url: jobs, body: JSON.stringify({ queue: 'arn:queue', role: 'arn:role', settings: {} }) },
    ['mediaconvert:CreateJob arn:queue', 'iam:PassRole arn:role'],
  ],
  [
    'jobs of MediaConvert are looked for in a queue',
    { method: 'GET', url: '/2017-08-29/search?inputFile=s3%3A%2F%2Fb%2Fk&queue=arn%3Aqueue' },
    ['mediaconvert:SearchJobs arn:queue'],
  ],
  [
    'a job of MediaConvert is looked at',
    { method: 'GET', url: `${jobs}/${job}` },
    [`mediaconvert:GetJob arn:aws:mediaconvert:eu-west-1:1:jobs/${job}`],
  ],
  [
    'a job of MediaConvert is cancelled',
    { method: 'DELETE', url: `${jobs}/${job}` },
    [`mediaconvert:CancelJob arn:aws:mediaconvert:eu-west-1:1:jobs/${job}`],
  ],
  ['reading takes the right to the object', { method: 'HEAD', url: '/b/a%20key' }, ['s3:GetObject arn:aws:s3:::b/a key']],
  [
    'reading what is not there takes the right to list as well',
    { method: 'GET', url: '/b/k', status: 404 },
    ['s3:GetObject arn:aws:s3:::b/k', 's3:ListBucket arn:aws:s3:::b'],
  ],
  ['a key is not an address, whose dots would lead up', { method: 'HEAD', url: '/b/a/../../k' }, ['s3:GetObject arn:aws:s3:::b/a/../../k']],
  [
    'copying takes reading the source',
    { method: 'PUT', url: '/b/k?x-id=CopyObject', headers: { 'x-amz-copy-source': 'other/source%20key' } },
    ['s3:PutObject arn:aws:s3:::b/k', 's3:GetObject arn:aws:s3:::other/source key'],
  ],
  ['an upload in parts is a put', { url: '/b/k?uploads' }, ['s3:PutObject arn:aws:s3:::b/k']],
  ['it is given up', { method: 'DELETE', url: '/b/k?uploadId=1' }, ['s3:AbortMultipartUpload arn:aws:s3:::b/k']],
  ['its parts are listed', { method: 'GET', url: '/b/k?uploadId=1' }, ['s3:ListMultipartUploadParts arn:aws:s3:::b/k']],
  ['an object is deleted', { method: 'DELETE', url: '/b/k' }, ['s3:DeleteObject arn:aws:s3:::b/k']],
  [
    'a deletion of many takes the right to each',
    { url: '/b?delete', body: '<Delete><Object><Key>a</Key></Object><Object><Key>b/c</Key></Object></Delete>' },
    ['s3:DeleteObject arn:aws:s3:::b/a', 's3:DeleteObject arn:aws:s3:::b/b/c'],
  ],
  [
    'a deletion of a version takes a right of its own, too',
    { url: '/b?delete', body: '<Delete><Object><Key>k</Key><VersionId>1</VersionId></Object></Delete>' },
    ['s3:DeleteObject arn:aws:s3:::b/k', 's3:DeleteObjectVersion arn:aws:s3:::b/k'],
  ],
  [
    'a posted form puts under the key that it names',
    { url: '/b', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: [...form, 'bytes', '--x--'].join('\r\n') },
    ['s3:PutObject arn:aws:s3:::b/upload/1'],
  ],
]

describe('the permissions that a call takes', () => {
  test.each(cases)('%s', (_, request, expected) => assert.deepEqual(asked(request), expected))

  test.each<[string, Given]>([
    ['an operation of a table', dynamo('Scan', { TableName: 't' })],
    ['a service', targeted('KMS.Decrypt', {})],
    ['a picture that is sent', targeted('RekognitionService.DetectLabels', { Image: { Bytes: '' } })],
    ['a list of invalidations', { method: 'GET', url: invalidation }],
    ['a list of jobs', { method: 'GET', url: jobs }],
    ['a property of a bucket', { method: 'GET', url: '/b?acl' }],
  ])('%s that is not known is refused, so that nothing goes unjudged', (_, request) => {
    assert.throws(() => asked(request), /no permissions are known/)
  })
})
