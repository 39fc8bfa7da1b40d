import { Aws, CfnCondition, Duration, Fn, Stack } from 'aws-cdk-lib'
import {
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  CfnDistribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionRuntime,
  FunctionUrlOriginAccessControl,
  type ICachePolicy,
  type IResponseHeadersPolicy,
  S3OriginAccessControl,
} from 'aws-cdk-lib/aws-cloudfront'
import { CfnPermission } from 'aws-cdk-lib/aws-lambda'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { CACHE_TAG_HEADER } from '../../../shared/backends/objects/port.ts'
import { accountWideName } from './account-wide-name.ts'
import { acceptDistribution, allowReading, cachedErrors, type HostNames } from './delivery.ts'
import type { LinkRenderer } from './link-renderer.ts'
import { linkRequestCode } from './link-request-code.ts'
import { type SharedPolicyIds, sharedResponseHeaders } from './response-headers.ts'
import type { SharedHeaders } from './shared-headers.ts'

/** The operator's settings of links. */
export interface LinkSettings extends HostNames {
  formerCdnDomains: readonly string[]
  linkSizeSteps: boolean
  linkWebAclArn?: string | undefined
}

/** Longest that CloudFront keeps anything. */
const YEAR = Duration.days(365)

/** Seconds for which CloudFront repeats an error: a link that is published meanwhile works soon, and an attack on one reaches no origin. */
const ERROR_SECONDS = 5

/** Regions in which a stack has Origin Shield. Source: CloudFront Developer Guide, "Use Amazon CloudFront Origin Shield". */
const SHIELDED = [
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'eu-central-1', 'eu-west-1', 'eu-west-2'],
  ...['sa-east-1', 'us-east-1', 'us-east-2', 'us-west-2'],
]

/**
 * The host of links. The edge function (link-request.ts) names the origin of a request by its id: `copies` is the public bucket, `renderer`
 * makes transformed pictures. Nobody but this distribution reaches either.
 */
export class LinkDelivery extends Construct {
  /** Without trailing slash. */
  readonly url: string
  /** CloudFront's name of the host. */
  readonly target: string
  /** Former addresses of links and streams: at CloudFront's own name, which still works, and where the operator says. */
  readonly formerUrls: readonly string[]
  readonly distributionId: string
  readonly distributionArn: string

  constructor(
    scope: Construct,
    id: string,
    {
      copies,
      renderer,
      settings,
      sharedPolicies,
    }: { copies: IBucket; renderer: LinkRenderer; settings: LinkSettings; sharedPolicies: SharedPolicyIds },
  ) {
    super(scope, id)
    const { linkSizeSteps, linkWebAclArn } = settings
    const edgeFunction = new EdgeFunction(this, 'Request', {
      functionName: accountWideName(this, 'Request'),
      code: FunctionCode.fromInline(linkRequestCode(linkSizeSteps)),
      runtime: FunctionRuntime.JS_2_0,
    })
    const kept = cachePolicy(this)
    const labels = (id: string, name: SharedHeaders) => sharedResponseHeaders(this, id, name, sharedPolicies)
    const linkLabels = labels('Headers', 'links')
    const behavior = (cache: ICachePolicy, headers: IResponseHeadersPolicy) => ({
      targetOriginId: 'copies',
      // Links are typed and pasted without a scheme, too.
      viewerProtocolPolicy: 'redirect-to-https',
      // The function answers OPTIONS.
      allowedMethods: ['GET', 'HEAD', 'OPTIONS'],
      cachedMethods: ['GET', 'HEAD'],
      cachePolicyId: cache.cachePolicyId,
      responseHeadersPolicyId: headers.responseHeadersPolicyId,
      // CloudFront skips the event of the answer where an origin answers with 400 or more.
      functionAssociations: ['viewer-request', 'viewer-response'].map((eventType) => ({
        eventType,
        functionArn: edgeFunction.functionArn,
      })),
    })
    // The construct `Distribution` doesn't do: it makes an origin only for a cache behaviour, and knows no cache tags.
    const distribution = new CfnDistribution(this, 'Distribution', {
      distributionConfig: {
        enabled: true,
        comment: 'Links',
        httpVersion: 'http2and3',
        ipv6Enabled: true,
        ...ownHost(settings),
        ...(linkWebAclArn && { webAclId: linkWebAclArn }),
        origins: [this.copiesOrigin(copies), this.rendererOrigin(renderer)],
        cacheTagConfig: { headerName: CACHE_TAG_HEADER },
        // The first that fits a path counts.
        cacheBehaviors: [
          {
            pathPattern: 'streams/*.m3u8',
            // Keeps a playlist for as long as its label says. Those without one, which MediaConvert stores, never change.
            ...behavior(CachePolicy.CACHING_OPTIMIZED, labels('PlaylistHeaders', 'playlists')),
            compress: true,
          },
          { pathPattern: 'streams/*', ...behavior(kept, labels('StreamHeaders', 'segments')) },
          // Has words, which change without an invalidation: kept for as long as the renderer says.
          { pathPattern: 'iiif/*/manifest.json', ...behavior(CachePolicy.CACHING_OPTIMIZED, linkLabels), compress: true },
        ],
        defaultCacheBehavior: behavior(kept, linkLabels),
        customErrorResponses: cachedErrors.map((errorCode) => ({ errorCode, errorCachingMinTtl: ERROR_SECONDS })),
      },
    })
    acceptDistribution(distribution, settings)
    this.target = distribution.attrDomainName
    const { cdnDomain = this.target, formerCdnDomains } = settings
    this.url = `https://${cdnDomain}`
    this.formerUrls = [this.target, ...formerCdnDomains].map((host) => `https://${host}`)
    this.distributionId = distribution.attrId
    this.distributionArn = Stack.of(this).formatArn({
      service: 'cloudfront',
      region: '',
      resource: 'distribution',
      resourceName: distribution.attrId,
    })
    // Nobody can list: the edge function lets only the paths of links and of streams through.
    allowReading(copies, this.distributionArn, '*')
    this.allowRendering(renderer)
  }

  private copiesOrigin(copies: IBucket): CfnDistribution.OriginProperty {
    const access = new S3OriginAccessControl(this, 'CopiesAccess', { originAccessControlName: accountWideName(this, 'CopiesAccess') })
    return {
      id: 'copies',
      domainName: copies.bucketRegionalDomainName,
      s3OriginConfig: { originAccessIdentity: '' },
      originAccessControlId: access.originAccessControlId,
    }
  }

  private rendererOrigin({ url }: LinkRenderer): CfnDistribution.OriginProperty {
    const access = new FunctionUrlOriginAccessControl(this, 'RendererAccess', {
      originAccessControlName: accountWideName(this, 'RendererAccess'),
    })
    return {
      id: 'renderer',
      domainName: Fn.select(2, Fn.split('/', url.url)),
      customOriginConfig: { originProtocolPolicy: 'https-only', originSslProtocols: ['TLSv1.2'] },
      originAccessControlId: access.originAccessControlId,
      originShield: this.originShield(),
    }
  }

  /**
   * One cache before the renderer, in which all others ask: equal requests that come at once from the whole world become as few as one there.
   * It costs by the request. Without it each of CloudFront's regional caches asks the renderer itself.
   */
  private originShield() {
    const isShielded = new CfnCondition(this, 'IsShielded', {
      expression: Fn.conditionOr(...SHIELDED.map((region) => Fn.conditionEquals(Aws.REGION, region))),
    })
    return Fn.conditionIf(isShielded.logicalId, { Enabled: true, OriginShieldRegion: Aws.REGION }, Aws.NO_VALUE)
  }

  /** A function URL takes both rights. Source: AWS Lambda Developer Guide, "Control access to Lambda function URLs". */
  private allowRendering({ lambda }: LinkRenderer): void {
    const invoke = { principal: 'cloudfront.amazonaws.com', functionName: lambda.functionName, sourceArn: this.distributionArn }
    new CfnPermission(this, 'InvokeUrl', { ...invoke, action: 'lambda:InvokeFunctionUrl', functionUrlAuthType: 'AWS_IAM' })
    new CfnPermission(this, 'Invoke', { ...invoke, action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true })
  }
}

function ownHost({ cdnDomain, certificateArn }: HostNames) {
  if (!cdnDomain || !certificateArn) return {}
  return {
    aliases: [cdnDomain],
    viewerCertificate: { acmCertificateArn: certificateArn, sslSupportMethod: 'sni-only', minimumProtocolVersion: 'TLSv1.2_2021' },
  }
}

/**
 * Path and query are the key: the function has brought them into one form. `Accept` is part of it because CloudFront takes `Vary: Accept` from
 * answers where it isn't; the function gives it one value, so a picture is rendered once, not once for each header that clients send. Source:
 * CloudFront Developer Guide, "Request and response behavior for custom origins". `Cache-Control` of the answers counts seconds, for browsers and proxies. Edges keep what they have
 * until an invalidation names its tag: the minimum says so, because proxies would obey an `s-maxage`, too.
 */
function cachePolicy(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'Cache', {
    cachePolicyName: accountWideName(scope, 'Cache'),
    comment: 'Links and streams: kept until they are invalidated',
    minTtl: YEAR,
    defaultTtl: YEAR,
    maxTtl: YEAR,
    queryStringBehavior: CacheQueryStringBehavior.all(),
    headerBehavior: CacheHeaderBehavior.allowList('Accept'),
  })
}
