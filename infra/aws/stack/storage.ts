import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { type Attribute, AttributeType, BillingMode, type ITable, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { type IndexSchema, indexes } from '../../../shared/backends/table/indexes.ts'
import { PROFILE_IMAGES } from '../../../shared/library/accounts/profile-images.ts'
import { LOGOS } from '../../../shared/library/brands/brand.ts'
import { SNAPSHOTS } from '../../../shared/library/index-snapshots/record.ts'
import { RENDITIONS } from '../../../shared/library/media/objects.ts'
import { SUBTITLES } from '../../../shared/library/videos/objects.ts'
import { acceptFindings, acceptWildcards } from './accepted-findings.ts'
import { adoptedBucket } from './adopted-bucket.ts'
import { AdoptedTable } from './adopted-table.ts'
import type { FunctionDefaults } from './service-function.ts'
import type { DeploymentSettings } from './settings.ts'

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING })
const projections = { keys: ProjectionType.KEYS_ONLY, all: ProjectionType.ALL } as const

/** Days for which deleted and replaced files of a library that retains its data can be had back. */
const KEPT_VERSION_DAYS = 30

/** Longest time that the parts of one upload may take, in days. */
const UNKNOWN_UPLOAD_DAYS = 90

/** The settings of every bucket. */
export const privateBucket = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
}

type StorageSettings = Pick<DeploymentSettings, 'retain' | 'adoptTable' | 'adoptMediaBucket' | 'adoptPublicBucket'>

/** The table and the buckets. */
export class Storage extends Construct {
  readonly table: ITable
  /** ARN of the table's change stream. */
  readonly streamArn: string
  readonly uploads: IBucket
  readonly media: IBucket
  /** The objects of links: copies, and the sources of their pictures. Only edges and functions read it. */
  readonly public: IBucket
  /** Buckets that are removed with the stack. */
  readonly removed: readonly IBucket[]

  /** @param settings whether the data outlives the stack, and which of it is there already */
  constructor(scope: Construct, id: string, settings: StorageSettings, defaults: FunctionDefaults) {
    super(scope, id)
    const { retain, adoptTable, adoptMediaBucket, adoptPublicBucket } = settings
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY
    const { table, streamArn } = adoptTable
      ? new AdoptedTable(this, 'Adopted', adoptTable, defaults)
      : this.makeTable(retain, removalPolicy)
    this.table = table
    this.streamArn = streamArn

    this.uploads = new Bucket(this, 'Uploads', {
      ...privateBucket,
      // No object expires by age, because a finalized file may wait long for its import. An hourly sweep deletes unneeded files. A job
      // ends an upload in parts when its time is over. The rule is for those that no record tells of.
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(UNKNOWN_UPLOAD_DAYS) }],
      // Any site may post a form or put a part: the signature of policy or URL is the permission.
      cors: [
        {
          allowedMethods: [HttpMethods.POST, HttpMethods.PUT],
          allowedOrigins: ['*'],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag', 'Location'],
          maxAge: 86_400,
        },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.media = adoptMediaBucket
      ? adoptedBucket(this, 'AdoptedMedia', adoptMediaBucket)
      : new Bucket(this, 'Media', {
          ...privateBucket,
          // Files that were deleted or replaced by mistake can be restored for a while. The rules apply without `retain`, too: versions stay when it
          // is turned off.
          versioned: retain,
          lifecycleRules: [
            {
              abortIncompleteMultipartUploadAfter: Duration.days(7),
              noncurrentVersionExpiration: Duration.days(KEPT_VERSION_DAYS),
              expiredObjectDeleteMarker: true,
            },
            // A snapshot of a search index can always be made again, and there are several a day.
            { prefix: SNAPSHOTS, noncurrentVersionExpiration: Duration.days(1) },
          ],
          // Answers preflight requests, which come through the delivery host.
          cors: [{ allowedMethods: [HttpMethods.GET, HttpMethods.HEAD], allowedOrigins: ['*'], allowedHeaders: ['*'], maxAge: 86_400 }],
          removalPolicy,
        })
    this.public = adoptPublicBucket
      ? adoptedBucket(this, 'AdoptedPublic', adoptPublicBucket)
      : new Bucket(this, 'Public', {
          ...privateBucket,
          lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }],
          removalPolicy,
        })
    const made = [this.media, this.public].filter((bucket) => bucket instanceof Bucket)
    this.removed = [this.uploads, ...(retain ? [] : made)]
    for (const bucket of [this.uploads, this.media, this.public]) {
      acceptFindings(bucket, {
        'AwsSolutions-S1': 'Functions log every request, and files are handed out by signed URLs that the log names.',
      })
      // Keys are made of ids, so there is no narrower prefix.
      acceptWildcards(
        Stack.of(this),
        bucket,
        ['*', `${PROFILE_IMAGES}*`, `${LOGOS}*`, SUBTITLES, RENDITIONS, `${SNAPSHOTS}*`, 'streams/*'],
        'The right to objects of one bucket; which ones is decided in the code.',
      )
    }
  }

  private makeTable(retain: boolean, removalPolicy: RemovalPolicy) {
    const table = new Table(this, 'Table', {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'ttl',
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      deletionProtection: retain,
      removalPolicy,
    })
    for (const [indexName, { pk, sk, projection }] of Object.entries<IndexSchema>(indexes)) {
      table.addGlobalSecondaryIndex({ indexName, partitionKey: text(pk), sortKey: text(sk), projectionType: projections[projection] })
    }
    return { table, streamArn: table.tableStreamArn! }
  }
}
