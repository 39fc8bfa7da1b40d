import { readFileSync } from 'node:fs'
import { Duration, Fn, Stack } from 'aws-cdk-lib'
import {
  CachePolicy,
  CacheQueryStringBehavior,
  CfnDistribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionRuntime,
  FunctionUrlOriginAccessControl,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
} from 'aws-cdk-lib/aws-cloudfront'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnPermission } from 'aws-cdk-lib/aws-lambda'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { CACHE_TAG_HEADER } from '../../shared/backends/objects/port.ts'
import { LINK_CONTENT_SECURITY_POLICY, LINK_EXPOSED_HEADERS } from '../../shared/http/link-headers.ts'
import { accountWideName } from './account-wide-name.ts'
import { acceptDistribution, cachedErrors, type HostNames } from './delivery.ts'
import type { LinkRenderer } from './link-renderer.ts'

const linkRequest = readFileSync(new URL('./link-request.js', import.meta.url), 'utf8')

/** Longest that CloudFront keeps anything. */
const YEAR = Duration.days(365)

/** Seconds for which CloudFront repeats an error: a link that is published meanwhile works soon, and an attack on one reaches no origin. */
const ERROR_SECONDS = 5

/**
 * The host of links. The edge function (link-request.js) names the origin of a request by its id: `copies` is the public bucket, `renderer`
 * makes transformed pictures. Nobody but this distribution reaches either.
 */
export class LinkDelivery extends Construct {
  /** Without trailing slash. */
  readonly url: string
  readonly distributionId: string
  readonly distributionArn: string

  constructor(scope: Construct, id: string, { copies, renderer, hosts }: { copies: Bucket; renderer: LinkRenderer; hosts: HostNames }) {
    super(scope, id)
    const viewerRequest = new EdgeFunction(this, 'Request', {
      functionName: accountWideName(this, 'Request'),
      code: FunctionCode.fromInline(linkRequest),
      runtime: FunctionRuntime.JS_2_0,
    })
    // Not the construct `Distribution`, which makes an origin only for a cache behaviour, and knows no cache tags.
    const distribution = new CfnDistribution(this, 'Distribution', {
      distributionConfig: {
        enabled: true,
        comment: 'Links',
        httpVersion: 'http2and3',
        ipv6Enabled: true,
        ...ownHost(hosts),
        origins: [this.copiesOrigin(copies), this.rendererOrigin(renderer)],
        cacheTagConfig: { headerName: CACHE_TAG_HEADER },
        defaultCacheBehavior: {
          targetOriginId: 'copies',
          // Links are typed and pasted without a scheme, too.
          viewerProtocolPolicy: 'redirect-to-https',
          // The function answers OPTIONS.
          allowedMethods: ['GET', 'HEAD', 'OPTIONS'],
          cachedMethods: ['GET', 'HEAD'],
          cachePolicyId: cachePolicy(this).cachePolicyId,
          responseHeadersPolicyId: linkHeaders(this).responseHeadersPolicyId,
          functionAssociations: [{ eventType: 'viewer-request', functionArn: viewerRequest.functionArn }],
        },
        customErrorResponses: cachedErrors.map((errorCode) => ({ errorCode, errorCachingMinTtl: ERROR_SECONDS })),
      },
    })
    acceptDistribution(distribution, hosts)
    this.url = `https://${hosts.cdnDomain ?? distribution.attrDomainName}`
    this.distributionId = distribution.attrId
    this.distributionArn = Stack.of(this).formatArn({
      service: 'cloudfront',
      region: '',
      resource: 'distribution',
      resourceName: distribution.attrId,
    })
    this.allowReading(copies)
    this.allowRendering(renderer)
  }

  private copiesOrigin(copies: Bucket): CfnDistribution.OriginProperty {
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
    }
  }

  private allowReading(copies: Bucket): void {
    const read = { principals: [cloudFront], conditions: { StringEquals: { 'AWS:SourceArn': this.distributionArn } } }
    copies.addToResourcePolicy(new PolicyStatement({ ...read, actions: ['s3:GetObject'], resources: [copies.arnForObjects('*')] }))
    // Without the right to list a bucket S3 answers 403 instead of 404 for a link that ended. Nobody can list: the edge function lets only the
    // paths of links through.
    copies.addToResourcePolicy(new PolicyStatement({ ...read, actions: ['s3:ListBucket'], resources: [copies.bucketArn] }))
  }

  /** A function URL takes both rights. Source: AWS Lambda Developer Guide, "Control access to Lambda function URLs". */
  private allowRendering({ lambda }: LinkRenderer): void {
    const invoke = { principal: 'cloudfront.amazonaws.com', functionName: lambda.functionName, sourceArn: this.distributionArn }
    new CfnPermission(this, 'InvokeUrl', { ...invoke, action: 'lambda:InvokeFunctionUrl', functionUrlAuthType: 'AWS_IAM' })
    new CfnPermission(this, 'Invoke', { ...invoke, action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true })
  }
}

const cloudFront = new ServicePrincipal('cloudfront.amazonaws.com')

function ownHost({ cdnDomain, certificateArn }: HostNames) {
  if (!cdnDomain || !certificateArn) return {}
  return {
    aliases: [cdnDomain],
    viewerCertificate: { acmCertificateArn: certificateArn, sslSupportMethod: 'sni-only', minimumProtocolVersion: 'TLSv1.2_2021' },
  }
}

/**
 * Path and query are the key: the function has brought them into one form. No header is part of it, so a picture is rendered once, not once
 * for each encoding that clients accept. `Cache-Control` of the answers counts seconds, for browsers and proxies. Edges keep what they have
 * until an invalidation names its tag: the minimum says so, because proxies would obey an `s-maxage`, too.
 */
function cachePolicy(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'Cache', {
    cachePolicyName: accountWideName(scope, 'Cache'),
    comment: 'Links: kept until they are invalidated by tag',
    minTtl: YEAR,
    defaultTtl: YEAR,
    maxTtl: YEAR,
    queryStringBehavior: CacheQueryStringBehavior.all(),
  })
}

/** Any site may show what a link shows. Users' files are hostile: their scripts don't run. */
function linkHeaders(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: accountWideName(scope, 'Headers'),
    comment: 'Links: shown anywhere, without scripts',
    corsBehavior: {
      accessControlAllowCredentials: false,
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD', 'OPTIONS'],
      accessControlAllowOrigins: ['*'],
      accessControlExposeHeaders: [...LINK_EXPOSED_HEADERS],
      originOverride: true,
    },
    customHeadersBehavior: { customHeaders: [{ header: 'Cross-Origin-Resource-Policy', value: 'cross-origin', override: true }] },
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      contentSecurityPolicy: { contentSecurityPolicy: LINK_CONTENT_SECURITY_POLICY, override: true },
      strictTransportSecurity: { accessControlMaxAge: YEAR, override: true },
    },
  })
}
