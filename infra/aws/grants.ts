import { Arn, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IndexName } from '../../shared/backends/table/indexes.ts'
import { SEEN } from '../../shared/library/accounts/last-seen.ts'
import { PROFILE_IMAGES } from '../../shared/library/accounts/profile-images.ts'
import { SESSIONS } from '../../shared/library/accounts/sessions.ts'
import { TOKENS } from '../../shared/library/accounts/tokens.ts'
import { LOGOS } from '../../shared/library/brands/brand.ts'
import { SNAPSHOT_JOBS } from '../../shared/library/index-snapshots/job.ts'
import { SNAPSHOTS } from '../../shared/library/index-snapshots/record.ts'
import { RENDITIONS } from '../../shared/library/media/objects.ts'
import { SUBTITLES } from '../../shared/library/videos/objects.ts'
import type { Resources, Uses } from '../../shared/resources.ts'
import type { Tool } from '../../shared/tools/tool.ts'
import { allow, clockImport, env, type Grant, type GrantsOf, logImport, type Targets } from './grant.ts'
import { indexerGrant, noIndexWriterGrant, openSearchGrant, type SearchEngineName } from './search-engines.ts'
import { stockGrants } from './stock-grants.ts'

/**
 * The grants of a function for each resource that it declares to use: IAM statements, environment variables, and the adapter in its bundle. All
 * three stand here and nowhere else, so permission, configuration and code can't drift apart.
 */

type Grants = { readonly [Name in keyof Resources]: GrantsOf<Name> }

const queryOf = (index: IndexName, { tableArn }: ITable) => allow(['dynamodb:Query'], `${tableArn}/index/${index}`)

function tableGrant(writes: string[], ...indexes: IndexName[]): Grant {
  return {
    statements: ({ table }) => [
      allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', ...writes], table.tableArn),
      ...indexes.map((index) => queryOf(index, table)),
    ],
    environment: ({ table }) => ({ TABLE_NAME: table.tableName }),
    adapter: {
      imports: { 'shared/backends/table/dynamodb.ts': ['dynamoTable'] },
      make: `dynamoTable({ tableName: ${env('TABLE_NAME')} })`,
    },
  }
}

/** To update records of some kinds alone, for functions that only read the others. @param prefixes of their partition keys */
function recordsGrant(...prefixes: string[]): Grant {
  return {
    statements: ({ table }) => [
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) } },
      }),
    ],
    environment: () => ({}),
    adapter: { imports: {}, make: 'table' },
    needs: { table: 'read' },
    isTableWrite: true,
  }
}

/** @param keys of the objects; `*` at the end stands for anything */
function objectsGrant(name: 'uploads' | 'media' | 'public', writes: string[], keys = '*'): Grant {
  const variable = `${name.toUpperCase()}_BUCKET`
  return {
    statements: (targets) => [
      allow(['s3:GetObject', ...writes], targets[name].arnForObjects(keys)),
      // S3 answers 403 instead of 404 for a missing object, without the right to list the bucket.
      allow(['s3:ListBucket'], targets[name].bucketArn),
    ],
    environment: (targets) => ({ [variable]: targets[name].bucketName }),
    adapter: { imports: { 'shared/backends/objects/s3.ts': ['s3Objects'] }, make: `s3Objects({ bucket: ${env(variable)} })` },
  }
}

/** The public bucket, to change without reading it. @param actions on its objects @param bucketActions on the bucket itself */
function publicGrant(actions: string[], ...bucketActions: string[]): Grant {
  return {
    ...objectsGrant('public', []),
    statements: (targets) => [
      allow(actions, targets.public.arnForObjects('*')),
      ...(bucketActions.length > 0 ? [allow(bucketActions, targets.public.bucketArn)] : []),
    ],
  }
}

/** A tool needs no permission: all of it is in the function's package. @param needs tools that it uses itself */
function toolGrant(path: string, make: string, needs: Partial<Record<Tool, 'use'>> = {}): Grant {
  return {
    statements: () => [],
    environment: () => ({}),
    adapter: { imports: { [`shared/tools/${path}`]: [make] }, make: `${make}(${Object.keys(needs).join(', ')})` },
    needs,
  }
}

/** `TransactWriteItems` is authorised as the operations it is made of. (The port's mere `check` would take `ConditionCheckItem`; nothing uses it.) */
const tableWrites = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']
const publicWrites = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload']
const objectWrites = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts']

const partsAdapter = {
  imports: { 'shared/backends/objects/s3-parts.ts': ['s3PartUploads'] },
  make: `s3PartUploads({ bucket: ${env('UPLOADS_BUCKET')} })`,
}

/** @param actions on the objects of the bucket of uploads */
const partsGrant = (...actions: string[]): Grant => ({
  ...objectsGrant('uploads', []),
  statements: ({ uploads }) => [allow(actions, uploads.arnForObjects('*'))],
  adapter: partsAdapter,
})

const keysImport = { 'shared/backends/secrets/parameters.ts': ['parameterKeys'] }

const refusedImport = { 'shared/backends/outside/networks.ts': ['networksIn'] }
const refused = `refused: networksIn(${env('OUTSIDE_REFUSE')})`
/** Functions of stacks that refuse nothing besides stay as they are. */
const outsideEnvironment = ({ outsideRefuse }: Targets): Record<string, string> =>
  outsideRefuse === '' ? {} : { OUTSIDE_REFUSE: outsideRefuse }

/** The network is open to every function. */
const targetsGrant: Grant = {
  statements: () => [],
  environment: outsideEnvironment,
  adapter: {
    imports: { 'shared/backends/webhooks/http.ts': ['openWebhookTargets'], ...refusedImport },
    make: `openWebhookTargets({ ${refused} })`,
  },
}

/** Every resource and every way to use it. */
export const grants: Grants = {
  table: {
    read: tableGrant([]),
    readByDue: tableGrant([], 'trashDue'),
    write: tableGrant(tableWrites),
    readByChecksum: tableGrant([], 'checksums'),
    writeByChecksum: tableGrant(tableWrites, 'checksums'),
    writeByFolder: tableGrant(tableWrites, 'pointersByFolder'),
    writeByDue: tableGrant(tableWrites, 'trashDue'),
    writeByFeed: tableGrant(tableWrites, 'changeFeed'),
  },
  sessions: { use: recordsGrant(SESSIONS, TOKENS, SEEN) },
  uploads: {
    read: objectsGrant('uploads', []),
    consume: objectsGrant('uploads', ['s3:DeleteObject']),
    remove: {
      ...objectsGrant('uploads', []),
      statements: ({ uploads }) => [allow(['s3:DeleteObject'], uploads.arnForObjects('*'))],
    },
    sweep: {
      ...objectsGrant('uploads', []),
      statements: ({ uploads }) => [allow(['s3:DeleteObject'], uploads.arnForObjects('*')), allow(['s3:ListBucket'], uploads.bucketArn)],
    },
    form: {
      // A form is signed with the function's own rights, so a client that posts it can do this and nothing else.
      statements: ({ uploads }) => [allow(['s3:PutObject'], uploads.arnForObjects('*'))],
      environment: ({ uploads }) => ({ UPLOADS_BUCKET: uploads.bucketName }),
      adapter: {
        imports: { 'shared/backends/objects/s3-upload-form.ts': ['s3UploadForms'] },
        make: `s3UploadForms({ bucket: ${env('UPLOADS_BUCKET')} })`,
      },
    },
    receive: {
      ...objectsGrant('uploads', ['s3:PutObject']),
      adapter: {
        imports: { 'shared/backends/objects/s3.ts': ['s3Objects'], 'shared/backends/objects/s3-upload-form.ts': ['s3UploadForms'] },
        make: `((s3) => Object.assign(s3Objects(s3), s3UploadForms(s3)))({ bucket: ${env('UPLOADS_BUCKET')} })`,
      },
    },
  },
  partUploads: {
    begin: partsGrant('s3:PutObject', 's3:AbortMultipartUpload'),
    // A URL is signed with the function's own rights.
    sign: partsGrant('s3:PutObject'),
    read: partsGrant('s3:ListMultipartUploadParts'),
    // An object with a wrong MD5 is taken apart: copied into parts again, and deleted.
    join: {
      ...objectsGrant('uploads', ['s3:PutObject', 's3:DeleteObject', 's3:ListMultipartUploadParts']),
      adapter: partsAdapter,
    },
    joinOrEnd: { ...objectsGrant('uploads', objectWrites), adapter: partsAdapter },
    end: partsGrant('s3:AbortMultipartUpload'),
    sweep: partsGrant('s3:AbortMultipartUpload', 's3:ListMultipartUploadParts'),
    manage: { ...objectsGrant('uploads', objectWrites), adapter: partsAdapter },
  },
  media: {
    read: objectsGrant('media', []),
    write: objectsGrant('media', objectWrites),
    subtitles: {
      ...objectsGrant('media', []),
      statements: ({ media }) => [allow(['s3:PutObject'], media.arnForObjects(SUBTITLES))],
    },
  },
  publicFiles: {
    read: {
      ...objectsGrant('public', []),
      adapter: {
        imports: { 'shared/backends/objects/s3-reader.ts': ['s3Reader'] },
        // The reader goes without the SDK's configuration, so region and an emulator's address are given.
        make: `s3Reader({ bucket: ${env('PUBLIC_BUCKET')}, region: ${env('AWS_REGION')}, endpoint: ${env('AWS_ENDPOINT_URL')} })`,
      },
    },
    // Whether an upload was completed whose answer was lost isn't looked up: the job runs again.
    write: publicGrant(publicWrites, 's3:ListBucket'),
    streams: objectsGrant('public', ['s3:PutObject', 's3:DeleteObject'], 'streams/*'),
    store: publicGrant(publicWrites),
    sweep: publicGrant(['s3:DeleteObject'], 's3:ListBucket'),
  },
  profileImages: {
    read: objectsGrant('media', [], `${PROFILE_IMAGES}*`),
    write: {
      ...objectsGrant('media', []),
      statements: ({ media }) => [allow(['s3:PutObject', 's3:DeleteObject'], media.arnForObjects(`${PROFILE_IMAGES}*`))],
    },
  },
  logos: {
    write: {
      ...objectsGrant('media', []),
      statements: ({ media }) => [allow(['s3:PutObject', 's3:DeleteObject'], media.arnForObjects(`${LOGOS}*`))],
    },
  },
  search: {
    read: {
      statements: ({ table }) => [queryOf('changeFeed', table)],
      environment: () => ({}),
      adapter: {
        imports: {
          'shared/backends/search/embedded.ts': ['embeddedSearch'],
          'shared/library/media/search-feed.ts': ['documentFeed'],
          'shared/library/index-snapshots/stored-snapshots.ts': ['storedSnapshots'],
          ...clockImport,
          ...logImport,
        },
        // 9 of the function's 10 GB (functions/search/search-media.ts): SQLite keeps more beside the files. Of its 29 s a search keeps 5.
        make: `embeddedSearch({ directory: '/tmp/search', feed: documentFeed({ table, clock: systemClock }), snapshots: storedSnapshots({ table, snapshotFiles, snapshotJobs, clock: systemClock, log: standardLog() }), maxBytes: 9 * 1024 ** 3, maxWaitMs: 24_000 })`,
      },
      needs: { table: 'read', snapshotFiles: 'read', snapshotJobs: 'ask' },
    },
  },
  snapshotFiles: {
    read: {
      statements: ({ media }) => [allow(['s3:GetObject'], media.arnForObjects(`${SNAPSHOTS}*`)), allow(['s3:ListBucket'], media.bucketArn)],
      environment: ({ media }) => ({ MEDIA_BUCKET: media.bucketName }),
      adapter: {
        imports: { 'shared/backends/objects/s3-reader.ts': ['s3Reader'] },
        make: `s3Reader({ bucket: ${env('MEDIA_BUCKET')}, region: ${env('AWS_REGION')}, endpoint: ${env('AWS_ENDPOINT_URL')} })`,
      },
    },
    // A lifecycle rule removes the parts of a snapshot whose upload broke off.
    write: objectsGrant('media', ['s3:PutObject', 's3:DeleteObject'], `${SNAPSHOTS}*`),
  },
  snapshotJobs: { ask: recordsGrant(SNAPSHOT_JOBS) },
  indexWriter: {
    use: {
      statements: ({ table }) => [queryOf('changeFeed', table)],
      environment: () => ({}),
      adapter: {
        imports: {
          'shared/backends/search/snapshots/index-writer.ts': ['openIndexWriter'],
          'shared/library/media/search-feed.ts': ['documentFeed'],
          ...clockImport,
        },
        make: `openIndexWriter({ directory: '/tmp/indexes', feed: documentFeed({ table, clock: systemClock }) })`,
      },
      needs: { table: 'read' },
    },
  },
  searchIndexer: { write: indexerGrant },
  stock: stockGrants,
  waker: {
    wake: {
      statements: ({ jobs }) => [allow(['lambda:InvokeFunction'], ...jobs.functionArns)],
      environment: ({ jobs }) => ({ JOB_FUNCTION_PREFIX: jobs.prefix, JOB_KINDS: jobs.kinds }),
      adapter: {
        imports: { 'shared/backends/waker/lambda.ts': ['lambdaWaker'] },
        make: `lambdaWaker({ prefix: ${env('JOB_FUNCTION_PREFIX')}, kinds: ${env('JOB_KINDS')} })`,
      },
    },
  },
  mail: {
    send: {
      statements: ({ table, mailSender, mailConfigurationSet }) => [mailStatement(Stack.of(table), mailSender, mailConfigurationSet)],
      environment: ({ mailSender, mailConfigurationSet }) => ({ MAIL_SENDER: mailSender, MAIL_CONFIGURATION_SET: mailConfigurationSet }),
      adapter: {
        imports: { 'shared/backends/mail/ses.ts': ['sesMail'] },
        make: `sesMail({ sender: ${env('MAIL_SENDER')}, configurationSet: ${env('MAIL_CONFIGURATION_SET')} })`,
      },
    },
  },
  urls: {
    sign: {
      statements: ({ urlSigningKeyArn }) => [allow(['ssm:GetParameter'], urlSigningKeyArn)],
      environment: ({ urlSigningKeyArn, urlKeyPairId, deliveryUrl }) => ({
        URL_SIGNING_KEY_ARN: urlSigningKeyArn,
        URL_KEY_PAIR_ID: urlKeyPairId,
        DELIVERY_URL: deliveryUrl,
      }),
      adapter: {
        imports: { 'shared/backends/edge/cloudfront.ts': ['cloudFrontUrls'], ...keysImport },
        make: `cloudFrontUrls({ baseUrl: ${env('DELIVERY_URL')}, keyPairId: ${env('URL_KEY_PAIR_ID')}, secrets: parameterKeys({ arns: { urlSigningKey: ${env('URL_SIGNING_KEY_ARN')} } }) })`,
      },
    },
  },
  edgeCache: {
    invalidate: {
      statements: ({ links }) => [allow(['cloudfront:CreateInvalidation', 'cloudfront:GetInvalidation'], links.distributionArn)],
      environment: ({ links }) => ({ DISTRIBUTION_ID: links.distributionId }),
      adapter: {
        imports: { 'shared/backends/edge-cache/cloudfront.ts': ['cloudFrontCache'] },
        make: `cloudFrontCache({ distributionId: ${env('DISTRIBUTION_ID')} })`,
      },
    },
  },
  transcoder: {
    start: {
      // MediaConvert names a job when it is made, and its name doesn't tell the queue.
      statements: ({ table, transcoding: { queueArn, roleArn } }) => [
        allow(['mediaconvert:CreateJob', 'mediaconvert:SearchJobs'], queueArn),
        allow(['mediaconvert:GetJob', 'mediaconvert:CancelJob'], jobsOf(Stack.of(table))),
        new PolicyStatement({
          actions: ['iam:PassRole'],
          resources: [roleArn],
          conditions: { StringEquals: { 'iam:PassedToService': 'mediaconvert.amazonaws.com' } },
        }),
      ],
      environment: ({ transcoding, media, public: publicFiles }) => ({
        TRANSCODING_QUEUE_ARN: transcoding.queueArn,
        TRANSCODING_ROLE_ARN: transcoding.roleArn,
        MEDIA_BUCKET: media.bucketName,
        PUBLIC_BUCKET: publicFiles.bucketName,
      }),
      adapter: {
        imports: { 'shared/backends/transcoder/mediaconvert.ts': ['mediaConvert'] },
        make: `mediaConvert({ queueArn: ${env('TRANSCODING_QUEUE_ARN')}, roleArn: ${env('TRANSCODING_ROLE_ARN')}, mediaBucket: ${env('MEDIA_BUCKET')}, publicBucket: ${env('PUBLIC_BUCKET')} })`,
      },
    },
  },
  keywords: {
    suggest: {
      statements: ({ media }) => [
        // Rekognition has no resources for this: what it is limited to is the pictures that the function may read.
        allow(['rekognition:DetectLabels'], '*'),
        allow(['s3:GetObject'], media.arnForObjects(RENDITIONS)),
      ],
      environment: ({ media }) => ({ MEDIA_BUCKET: media.bucketName }),
      adapter: {
        imports: { 'shared/backends/keywords/rekognition.ts': ['rekognition'] },
        make: `rekognition({ bucket: ${env('MEDIA_BUCKET')} })`,
      },
    },
  },
  webhookTargets: { check: targetsGrant, send: targetsGrant },
  health: {
    read: {
      statements: () => [],
      environment: () => ({}),
      adapter: {
        imports: {
          'shared/backends/health/table.ts': ['tableHealth'],
          'shared/library/jobs/operator.ts': ['countFailed'],
          'shared/library/webhooks/health.ts': ['countFailing'],
          ...clockImport,
        },
        make: 'tableHealth(table, countFailed, (read) => countFailing({ ...read, clock: systemClock }))',
      },
      needs: { table: 'readByDue' },
    },
  },
  apiSecretsKey: {
    read: {
      statements: ({ apiSecretsKeyArn }) => [allow(['ssm:GetParameter'], apiSecretsKeyArn)],
      environment: ({ apiSecretsKeyArn }) => ({ API_SECRETS_KEY_ARN: apiSecretsKeyArn }),
      adapter: { imports: keysImport, make: `parameterKeys({ arns: { apiSecretsKey: ${env('API_SECRETS_KEY_ARN')} } })` },
    },
  },
  openId: {
    use: {
      statements: () => [],
      environment: outsideEnvironment,
      adapter: {
        imports: { 'shared/backends/openid/client.ts': ['openIdClient'], ...clockImport, ...refusedImport },
        make: `openIdClient({ clock: systemClock, ${refused} })`,
      },
    },
  },
  exiftool: { use: toolGrant('metadata/exiftool.ts', 'createExifTool') },
  renderer: { use: toolGrant('imaging/render.ts', 'createRenderer', { exiftool: 'use' }) },
  profileImageMaker: { use: toolGrant('imaging/profile-image-process.ts', 'openProfileImageMaker') },
  linkRenderer: { use: toolGrant('imaging/link-picture.ts', 'createLinkRenderer') },
  masterMaker: { use: toolGrant('imaging/master.ts', 'createMasterMaker', { exiftool: 'use' }) },
  thumbHasher: { use: toolGrant('imaging/thumbhash.ts', 'createThumbHasher') },
  videoProbe: { use: toolGrant('video/probe.ts', 'createVideoProbe') },
}

/**
 * The right to send mail. SES demands it for the configuration set, for the sender's verified identity (the address, its domain, or one
 * above), and for the recipient's where that is verified, too (always in the sandbox). The template can't know which identities these are,
 * so the sender's address is the limit.
 */
function mailStatement(stack: Stack, sender: string, configurationSet: string): PolicyStatement {
  const arn = (resource: string, resourceName: string) => Arn.format({ service: 'ses', resource, resourceName }, stack)
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [arn('identity', '*'), arn('configuration-set', configurationSet)],
    conditions: { StringEquals: { 'ses:FromAddress': sender } },
  })
}

/** Every job of MediaConvert in the account. */
function jobsOf(stack: Stack): string {
  return Arn.format({ service: 'mediaconvert', resource: 'jobs', resourceName: '*' }, stack)
}

/** A resource that a function uses, with its grant. */
export interface Granted {
  name: keyof Resources
  grant: Grant
}

/** Grants that are others where the engine is OpenSearch. */
const openSearchGrants: Grants = { ...grants, search: { read: openSearchGrant }, indexWriter: { use: noIndexWriterGrant } }

/**
 * The grants of a function. Each comes after those that it needs, so its adapters can be made in this order. Where the function declares a
 * resource that one of its grants also needs, its own declaration counts.
 * @param engine what searches
 */
export function grantsOf(uses: Uses, engine: SearchEngineName = 'embedded'): Granted[] {
  const all = engine === 'opensearch' ? openSearchGrants : grants
  const granted = new Map<keyof Resources, Grant>()
  const visit = (wanted: Uses) => {
    for (const [name, access] of Object.entries(wanted) as [keyof Resources, string][]) {
      const grant = (all[name] as Readonly<Record<string, Grant>>)[uses[name] ?? access]
      if (!grant) throw new Error(`infra/aws/grants.ts knows no access "${access}" to "${name}"`)
      if (grant.needs) visit(grant.needs)
      if (!granted.has(name)) granted.set(name, grant)
    }
  }
  visit(uses)
  const isWriter = uses.table?.startsWith('write')
  return [...granted].map(([name, grant]) => ({ name, grant: isWriter && grant.isTableWrite ? { ...grant, statements: () => [] } : grant }))
}
