/** A request of the SDK, as it goes over the wire. */
export interface WireRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/** What a request asks IAM for. */
export interface SdkCall {
  action: string
  /** ARN */
  resource: string
  context?: Readonly<Record<string, string>>
}

interface Where {
  region: string
  accountId: string
}

/**
 * The permissions that a request of the SDK takes. Source: the Service Authorization Reference, "Actions, resources, and condition keys"
 * of each service.
 * @param status of the answer: an object that isn't there takes one permission more
 * @throws Error for an operation that isn't known here, so that nothing goes unjudged
 */
export function permissionsOf(request: WireRequest, status: number, where: Where): SdkCall[] {
  const [service, operation] = String(request.headers['x-amz-target'] ?? '').split('.') as [string, string]
  if (service.startsWith('DynamoDB_')) return tableCalls(operation, JSON.parse(request.body), where)
  if (service === 'secretsmanager') return [{ action: `secretsmanager:${operation}`, resource: JSON.parse(request.body).SecretId }]
  if (service === 'AmazonSSM') return [parameterCall(operation, JSON.parse(request.body), where)]
  if (service === 'RekognitionService') return pictureCalls(operation, JSON.parse(request.body))
  if (service) throw new Error(`no permissions are known for ${service}.${operation}`)
  if (request.url.startsWith('/2015-03-31/functions/')) return invocations(request, where)
  if (request.url.startsWith('/v2/email/')) return mailCalls(request, where)
  if (request.url.startsWith('/2020-05-31/')) return edgeCalls(request, where)
  if (request.url.startsWith('/2017-08-29/')) return transcoderCalls(request, where)
  return objectCalls(request, status)
}

interface TableInput {
  TableName?: string
  IndexName?: string
  Key?: Record<string, { S?: string }>
  RequestItems?: Record<string, unknown>
  TransactItems?: Record<string, Pick<TableInput, 'Key'> & { TableName: string }>[]
}

const transactionActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
}

function tableCalls(operation: string, input: TableInput, { region, accountId }: Where): SdkCall[] {
  const table = (name: string) => `arn:aws:dynamodb:${region}:${accountId}:table/${name}`
  const on = (name: string | undefined, index = '') => ({ action: `dynamodb:${operation}`, resource: `${table(name!)}${index}` })
  switch (operation) {
    case 'UpdateItem':
    case 'DeleteItem':
      return [{ ...on(input.TableName), context: { 'dynamodb:leadingkeys': String(input.Key?.pk?.S) } }]
    case 'GetItem':
    case 'PutItem':
      return [on(input.TableName)]
    case 'Query':
      return [on(input.TableName, input.IndexName && `/index/${input.IndexName}`)]
    case 'BatchGetItem':
      return Object.keys(input.RequestItems ?? {}).map((name) => on(name))
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([sort, { TableName, Key }]) => ({
          action: `dynamodb:${transactionActions[sort]}`,
          resource: table(TableName),
          ...(Key && { context: { 'dynamodb:leadingkeys': String(Key.pk?.S) } }),
        })),
      )
  }
  throw new Error(`no permissions are known for DynamoDB's ${operation}`)
}

function invocations({ url }: WireRequest, { region, accountId }: Where): SdkCall[] {
  const [, name] = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/.exec(url) ?? []
  if (!name) throw new Error(`no permissions are known for ${url} of Lambda`)
  return [{ action: 'lambda:InvokeFunction', resource: `arn:aws:lambda:${region}:${accountId}:function:${name}` }]
}

/** Systems Manager. The key of AWS that encrypts parameters asks for no right. */
function parameterCall(operation: string, { Name }: { Name: string }, { region, accountId }: Where): SdkCall {
  return { action: `ssm:${operation}`, resource: `arn:aws:ssm:${region}:${accountId}:parameter${Name}` }
}

function mailCalls({ url, body }: WireRequest, { region, accountId }: Where): SdkCall[] {
  if (!url.startsWith('/v2/email/outbound-emails')) throw new Error(`no permissions are known for SES's ${url}`)
  const { FromEmailAddress: from, ConfigurationSetName: set, Destination } = JSON.parse(body)
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const above = domain.slice(domain.indexOf('.') + 1)
  // SES checks what the operator verified (the address, its domain, or one above), the recipients that are verified as well, and the
  // configuration set.
  const identities = [from, domain, above, ...Destination.ToAddresses].map((identity: string) => `identity/${identity}`)
  return [...identities, `configuration-set/${set}`].map((resource) => ({
    action: 'ses:SendEmail',
    resource: `arn:aws:ses:${region}:${accountId}:${resource}`,
    context: { 'ses:fromaddress': from },
  }))
}

/** CloudFront, which is in no region. */
function edgeCalls({ method, url }: WireRequest, { accountId }: Where): SdkCall[] {
  const [, distribution, invalidation] = /^\/2020-05-31\/distribution\/(\w+)\/invalidation(\/\w+)?$/.exec(url) ?? []
  const operation = { POST: invalidation ? undefined : 'CreateInvalidation', GET: invalidation && 'GetInvalidation' }[method]
  if (!distribution || !operation) throw new Error(`no permissions are known for ${method} ${url} of CloudFront`)
  return [{ action: `cloudfront:${operation}`, resource: `arn:aws:cloudfront::${accountId}:distribution/${distribution}` }]
}

/** MediaConvert. Who makes a job passes it a role. */
function transcoderCalls({ method, url, body }: WireRequest, { region, accountId }: Where): SdkCall[] {
  const { pathname, searchParams } = new URL(url, 'http://mediaconvert')
  const operation = `${method} ${pathname.slice('/2017-08-29'.length)}`
  if (operation === 'GET /search') return [{ action: 'mediaconvert:SearchJobs', resource: searchParams.get('queue') ?? '' }]
  if (operation === 'POST /jobs') {
    const { queue, role } = JSON.parse(body) as { queue: string; role: string }
    return [
      { action: 'mediaconvert:CreateJob', resource: queue },
      { action: 'iam:PassRole', resource: role, context: { 'iam:passedtoservice': 'mediaconvert.amazonaws.com' } },
    ]
  }
  const [, verb = '', job] = /^(GET|DELETE) \/(jobs\/[\w-]+)$/.exec(operation) ?? []
  const action = { GET: 'GetJob', DELETE: 'CancelJob' }[verb]
  if (!action) throw new Error(`no permissions are known for ${operation} of MediaConvert`)
  return [{ action: `mediaconvert:${action}`, resource: `arn:aws:mediaconvert:${region}:${accountId}:${job}` }]
}

/** Rekognition reads what it looks at with the rights of the caller. Source: Developer Guide, "Using Amazon S3 buckets and resources". */
function pictureCalls(operation: string, { Image }: { Image?: { S3Object?: { Bucket: string; Name: string } } }): SdkCall[] {
  const { Bucket, Name } = Image?.S3Object ?? {}
  if (operation !== 'DetectLabels' || !Bucket || !Name) throw new Error(`no permissions are known for Rekognition's ${operation}`)
  return [
    { action: 'rekognition:DetectLabels', resource: '*' },
    { action: 's3:GetObject', resource: `arn:aws:s3:::${Bucket}/${Name}` },
  ]
}

/** S3, addressed path-style. */
function objectCalls({ method, url, headers, body }: WireRequest, status: number): SdkCall[] {
  // Keys may have parts that an URL takes for steps up.
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  const [bucket = '', ...rest] = path.slice(1).split('/').map(decodeURIComponent)
  const arn = `arn:aws:s3:::${bucket}`
  const on = (action: string, key = rest.join('/')) => ({ action: `s3:${action}`, resource: `${arn}/${key}` })
  if (rest.join('/') === '') {
    if (method === 'GET' && query.has('list-type')) return [{ action: 's3:ListBucket', resource: arn }]
    if (query.has('policy')) return [{ action: method === 'GET' ? 's3:GetBucketPolicy' : 's3:PutBucketPolicy', resource: arn }]
    if (method === 'GET' && query.has('versions')) return [{ action: 's3:ListBucketVersions', resource: arn }]
    if (method === 'POST' && query.has('delete')) {
      const actions = deletion(body.includes('<VersionId>'))
      return namedIn(body).flatMap((key) => actions.map((action) => on(action, key)))
    }
    if (method === 'POST' && String(headers['content-type']).startsWith('multipart/form-data'))
      return [on('PutObject', formField(body, 'key'))]
    throw new Error(`no permissions are known for ${method} ${url} of S3`)
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (query.has('uploadId')) return [on('ListMultipartUploadParts')]
      // Without the right to list, S3 doesn't tell that an object isn't there: 403 instead of 404.
      return [on('GetObject'), ...(status === 404 ? [{ action: 's3:ListBucket', resource: arn }] : [])]
    case 'PUT': {
      const source = headers['x-amz-copy-source']
      const copied = source
        ? [{ action: 's3:GetObject', resource: `arn:aws:s3:::${decodeURIComponent(String(source)).replace(/^\//, '')}` }]
        : []
      return [on('PutObject'), ...copied]
    }
    case 'POST':
      return [on('PutObject')]
    case 'DELETE':
      if (query.has('uploadId')) return [on('AbortMultipartUpload')]
      return deletion(query.has('versionId')).map((action) => on(action))
  }
  throw new Error(`no permissions are known for ${method} ${url} of S3`)
}

/** A version is deleted by a right of its own, on top of the one that every deletion takes. */
function deletion(ofVersion: boolean): string[] {
  return ofVersion ? ['DeleteObject', 'DeleteObjectVersion'] : ['DeleteObject']
}

function namedIn(xml: string): string[] {
  return [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key!)
}

/** A field of a form, which stands before the file. */
function formField(body: string, name: string): string {
  return new RegExp(`name="${name}"\\r\\n(?:[^\\r]+\\r\\n)*\\r\\n([^\\r]*)`).exec(body)?.[1] ?? ''
}
