import { Duration } from 'aws-cdk-lib'
import { AllowedMethods, CachePolicy, Distribution, S3OriginAccessControl, ViewerProtocolPolicy } from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { PLAYER_FILES } from '../../../shared/library/videos/objects.ts'
import { playerHeaders } from '../../clients/player/player-files.ts'
import { accountWideName } from './account-wide-name.ts'
import { acceptDistribution, allowReading, cachedErrors, distributionDefaults, type HostNames } from './delivery.ts'
import { responseHeaders } from './response-headers.ts'

/** Seconds for which edges repeat an error. */
const ERROR_SECONDS = 60

/** The host of the player. prepared-buckets.ts puts its files into the public bucket. */
export class PlayerDelivery extends Construct {
  /** Without trailing slash. */
  readonly url: string
  /** CloudFront's name of the host. */
  readonly target: string

  constructor(scope: Construct, id: string, props: { files: IBucket; cdnUrl: string; hosts: HostNames }) {
    super(scope, id)
    const { files, cdnUrl, hosts } = props
    // A page that is opened at CloudFront's own name loads its script from the operator's.
    const headers = playerHeaders({ cdnUrl, ...(hosts.playerDomain && { playerUrl: `https://${hosts.playerDomain}` }) })
    const accessName = { originAccessControlName: accountWideName(this, 'Access') }
    const { originAccessControlId } = new S3OriginAccessControl(this, 'Access', accessName)
    const distribution = new Distribution(this, 'Distribution', {
      ...distributionDefaults('Player of streams', this, hosts, hosts.playerDomain),
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withBucketDefaults(files, { originPath: `/${PLAYER_FILES.slice(0, -1)}`, originAccessControlId }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        // Keeps files for as long as their labels say, whatever the query says: the page's script reads that.
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        responseHeadersPolicy: responseHeaders(this, 'Headers', { comment: 'Player of streams', headers }),
      },
      errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(ERROR_SECONDS) })),
    })
    acceptDistribution(distribution, hosts)
    // Nobody can list: every path has that of the origin before it.
    allowReading(files, distribution.distributionArn, `${PLAYER_FILES}*`)
    this.target = distribution.distributionDomainName
    this.url = `https://${hosts.playerDomain ?? this.target}`
  }
}
