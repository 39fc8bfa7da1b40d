import { createHash } from 'node:crypto'
import { CustomResource, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { CONSOLE_FILES } from '../../../shared/library/links/public-keys.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { PLAYER_FILES } from '../../../shared/library/videos/objects.ts'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'
import { consoleVersion } from '../../clients/console/built.ts'
import type { PlayerAddresses } from '../../clients/player/player-files.ts'
import { playerSources } from '../../clients/player/player-sources.ts'
import { acceptWildcards } from './accepted-findings.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'

/** The files of the service's own pages, as prefixes of keys. */
const PAGES = [PLAYER_FILES, CONSOLE_FILES]

export interface PreparedBucketsProps {
  media: IBucket
  public: IBucket
  /** Removed with the stack. */
  emptied: readonly IBucket[]
  /** Named by the player's files. */
  addresses: PlayerAddresses
}

/**
 * Puts the first objects into buckets when the stack is made: the picture of files without a picture of their own, player and console. Before the
 * stack is removed it closes and empties the buckets that are removed with it, because CloudFormation removes only empty ones.
 */
export class PreparedBuckets extends Construct {
  /** Everything that writes to the buckets by itself depends on it, so it is removed before the buckets are emptied. */
  readonly prepared: CustomResource

  constructor(
    scope: Construct,
    id: string,
    { media, public: publicFiles, emptied, addresses }: PreparedBucketsProps,
    defaults: FunctionDefaults,
  ) {
    super(scope, id)
    const emptying = [
      new PolicyStatement({
        actions: ['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:ListBucketVersions'],
        resources: emptied.map((bucket) => bucket.bucketArn),
      }),
      new PolicyStatement({
        actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
        resources: emptied.map((bucket) => bucket.arnForObjects('*')),
      }),
    ]
    const preparer = lambdaFunction(
      new Construct(this, 'prepare-buckets'),
      {
        key: 'prepare-buckets',
        description: 'Deployment: fills buckets; closes and empties those that are removed with the stack',
        timeoutSeconds: 900,
        statements: [
          new PolicyStatement({
            actions: ['s3:PutObject'],
            resources: [media.arnForObjects(GENERIC_THUMBNAIL_KEY), ...PAGES.map((prefix) => publicFiles.arnForObjects(`${prefix}*`))],
          }),
          ...emptying,
        ],
      },
      defaults,
    )
    acceptWildcards(
      this,
      publicFiles,
      PAGES.map((prefix) => `${prefix}*`),
      'Names of the files follow from their contents.',
    )
    const properties = {
      Media: media.bucketName,
      Public: publicFiles.bucketName,
      CdnUrl: addresses.cdnUrl,
      FormerCdnUrls: addresses.formerCdnUrls,
      PlayerUrl: addresses.playerUrl,
      Emptied: emptied.map((bucket) => bucket.bucketName),
      Partition: Stack.of(this).partition,
      // These make CloudFormation run the function again when the picture, the player or the console changes.
      Picture: hashOf(genericThumbnail().bytes),
      Player: hashOf(JSON.stringify(playerSources())),
      Console: consoleVersion(),
    }
    // The id must stay: with another one, CloudFormation would remove this resource from stacks in use, which empties their buckets.
    this.prepared = new CustomResource(this, 'Prepared', {
      resourceType: 'Custom::Buckets',
      serviceToken: preparer.functionArn,
      // The default of an hour: emptying large buckets takes the three runs of 15 minutes that Lambda gives the function.
      properties,
    })
    for (const { policy } of emptied) {
      if (!policy) continue
      // Removal goes in the opposite order: buckets are emptied while the policy that demands TLS still stands.
      this.prepared.node.addDependency(policy)
      // The policy closes the bucket. It must not be removed before the bucket is.
      policy.applyRemovalPolicy(RemovalPolicy.RETAIN)
    }
  }
}

function hashOf(contents: Uint8Array | string): string {
  return createHash('sha256').update(contents).digest('hex')
}
