import { readFileSync } from 'node:fs'
import { Duration } from 'aws-cdk-lib'
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  CacheQueryStringBehavior,
  type CfnPublicKey,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  KeyGroup,
  OriginRequestPolicy,
  PublicKey,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { THUMBNAIL_PERIOD } from '../../../shared/library/media/delivery.ts'
import { acceptFindings } from './accepted-findings.ts'
import { accountWideName } from './account-wide-name.ts'
import { type SharedPolicyIds, sharedResponseHeaders } from './response-headers.ts'
import type { Secrets } from './secrets.ts'

/** Host names of the operator's own; CloudFront's where absent. */
export interface HostNames {
  apiDomain?: string | undefined
  deliveryDomain?: string | undefined
  cdnDomain?: string | undefined
  playerDomain?: string | undefined
  certificateArn?: string | undefined
}

const viewerRequest = readFileSync(new URL('./viewer-request.js', import.meta.url), 'utf8')

/** Every error that CloudFront caches. Where nothing else is said it repeats one for ten seconds. */
export const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/** Caching of errors turned off: the object may appear at once. */
const uncachedErrors = cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }))

/** The host that delivers files, by signed URLs only. */
export class FileDelivery extends Construct {
  /** Without trailing slash. */
  readonly url: string
  /** CloudFront's name of the host. */
  readonly target: string
  /** CloudFront's id of the key that signs URLs. */
  readonly keyPairId: string

  constructor(
    scope: Construct,
    id: string,
    props: { media: IBucket; secrets: Secrets; hosts: HostNames; sharedPolicies: SharedPolicyIds },
  ) {
    super(scope, id)
    const publicKey = urlKey(this, props.secrets.publicHalf('UrlPublicKey'))
    this.keyPairId = publicKey.publicKeyId
    const cachePolicy = new CachePolicy(this, 'Cache', {
      cachePolicyName: accountWideName(this, 'Cache'),
      comment: 'Sizes get another copyright under their key; S3 labels the answer as the signed URL says',
      minTtl: Duration.seconds(0),
      // Edges ask again, by ETag, when browsers do: together they show no size for longer than this after its copyright was changed.
      defaultTtl: Duration.seconds(THUMBNAIL_PERIOD),
      maxTtl: Duration.days(365),
      queryStringBehavior: CacheQueryStringBehavior.allowList('response-content-disposition', 'response-content-type'),
    })
    const distribution = new Distribution(this, 'Distribution', {
      ...distributionDefaults('Signed file delivery', this, props.hosts, props.hosts.deliveryDomain),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(props.media, {
          originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: accountWideName(this, 'Access') }),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
        cachePolicy,
        // Passes on the headers of a preflight request that S3 needs to answer it.
        originRequestPolicy: OriginRequestPolicy.CORS_S3_ORIGIN,
        responseHeadersPolicy: sharedResponseHeaders(this, 'Headers', 'files', props.sharedPolicies),
        trustedKeyGroups: [new KeyGroup(this, 'UrlKeys', { keyGroupName: accountWideName(this, 'UrlKeys'), items: [publicKey] })],
      },
      errorResponses: uncachedErrors,
    })
    acceptDistribution(distribution, props.hosts)
    this.target = distribution.distributionDomainName
    this.url = `https://${props.hosts.deliveryDomain ?? this.target}`
  }
}

/** Pages that a distribution shows besides what it is for. */
export interface Pages {
  /** By path. */
  behaviors: Record<string, BehaviorOptions>
  /** Lets the distribution read their files. */
  allowReading(distributionArn: string): void
}

export interface ApiDeliveryProps {
  api: RestApiBase
  secrets: Secrets
  console: Pages
  hosts: HostNames
}

/** The API at the root of a host, with the console below it. No answer of the API is cached. The function gets the whole request but `Host`, which a header of its own tells. */
export class ApiDelivery extends Construct {
  /** Without trailing slash. */
  readonly url: string
  /** CloudFront's name of the host. */
  readonly target: string

  constructor(scope: Construct, id: string, props: ApiDeliveryProps) {
    super(scope, id)
    const identify = new EdgeFunction(this, 'ViewerRequest', {
      functionName: accountWideName(this, 'ViewerRequest'),
      code: FunctionCode.fromInline(viewerRequest),
      runtime: FunctionRuntime.JS_2_0,
    })
    const distribution = new Distribution(this, 'Distribution', {
      ...distributionDefaults('API', this, props.hosts, props.hosts.apiDomain),
      defaultBehavior: {
        // CloudFront overwrites a client's header of this name. The template holds a reference to the key, not its value.
        origin: new RestApiOrigin(props.api, { customHeaders: { 'x-origin-key': props.secrets.originKey } }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations: [{ function: identify, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      additionalBehaviors: props.console.behaviors,
      errorResponses: uncachedErrors,
    })
    props.console.allowReading(distribution.distributionArn)
    acceptDistribution(distribution, props.hosts)
    this.target = distribution.distributionDomainName
    this.url = `https://${props.hosts.apiDomain ?? this.target}`
  }
}

/**
 * The public key for signed URLs. CloudFront can't change a key: name and reference must stay while the id in the template stays. To change
 * them, change the id too: a deployment then makes a new key and removes the old one.
 */
function urlKey(scope: Construct, encodedKey: string): PublicKey {
  const publicKeyName = accountWideName(scope, 'UrlKey')
  const publicKey = new PublicKey(scope, 'UrlPublicKey', { publicKeyName, encodedKey })
  const definition = publicKey.node.defaultChild as CfnPublicKey
  definition.addPropertyOverride('PublicKeyConfig.CallerReference', publicKeyName)
  return publicKey
}

export function distributionDefaults(
  comment: string,
  scope: Construct,
  { certificateArn }: HostNames,
  domain: string | undefined,
): Omit<DistributionProps, 'defaultBehavior'> {
  const house = { comment, httpVersion: HttpVersion.HTTP2_AND_3 }
  if (!domain || !certificateArn) return house
  return { ...house, domainNames: [domain], certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn) }
}

export function acceptDistribution(distribution: Construct, { certificateArn }: HostNames): void {
  acceptFindings(distribution, {
    'AwsSolutions-CFR1': 'A library is for users anywhere.',
    'AwsSolutions-CFR2': 'A web ACL costs by the month; an operator who wants one adds it.',
    'AwsSolutions-CFR3': 'Functions log every request and every URL that they sign; a log of deliveries would hold addresses of viewers.',
    ...(certificateArn ? {} : { 'AwsSolutions-CFR4': "CloudFront's own host name comes with CloudFront's own choice of TLS versions." }),
  })
}

/**
 * Lets a distribution read objects of a bucket.
 * @param keys of the objects; `*` at the end stands for anything
 */
export function allowReading(bucket: IBucket, distributionArn: string, keys: string): void {
  const principals = [new ServicePrincipal('cloudfront.amazonaws.com')]
  const read = { principals, conditions: { StringEquals: { 'AWS:SourceArn': distributionArn } } }
  bucket.addToResourcePolicy(new PolicyStatement({ ...read, actions: ['s3:GetObject'], resources: [bucket.arnForObjects(keys)] }))
  // Without the right to list a bucket S3 answers 403 instead of 404 for what isn't there. The distribution must let no path through that
  // lists: no query reaches the bucket, or no empty path.
  bucket.addToResourcePolicy(new PolicyStatement({ ...read, actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }))
}
