import { readFileSync } from 'node:fs'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { CONSOLE_FILES } from '../../../shared/library/links/public-keys.ts'
import { type ConsoleHosts, consoleHeaders } from '../../clients/console/console-files.ts'
import { CONSOLE_PATH } from '../../clients/console/paths.ts'
import { accountWideName } from './account-wide-name.ts'
import { allowReading, type Pages } from './delivery.ts'
import { responseHeaders } from './response-headers.ts'

const consoleRequest = readFileSync(new URL('./console-request.js', import.meta.url), 'utf8')

export interface ConsoleDeliveryProps {
  /** The public bucket, into which prepared-buckets.ts puts the console. */
  files: IBucket
  hosts: ConsoleHosts
}

/** The console, on the API's host: a session's cookie is sent to no other. */
export class ConsoleDelivery extends Construct implements Pages {
  readonly behaviors: Record<string, BehaviorOptions>
  readonly #files: IBucket

  constructor(scope: Construct, id: string, { files, hosts }: ConsoleDeliveryProps) {
    super(scope, id)
    this.#files = files
    const accessName = { originAccessControlName: accountWideName(this, 'Access') }
    const { originAccessControlId } = new S3OriginAccessControl(this, 'Access', accessName)
    const toFile = new EdgeFunction(this, 'Request', {
      functionName: accountWideName(this, 'Request'),
      code: FunctionCode.fromInline(consoleRequest),
      runtime: FunctionRuntime.JS_2_0,
    })
    const behavior: BehaviorOptions = {
      origin: S3BucketOrigin.withBucketDefaults(files, { originPath: `/${CONSOLE_FILES.slice(0, -1)}`, originAccessControlId }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      // Keeps files for as long as their labels say: scripts for a year, the page not at all.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      responseHeadersPolicy: responseHeaders(this, 'Headers', { comment: 'Console', headers: consoleHeaders(hosts) }),
      functionAssociations: [{ function: toFile, eventType: FunctionEventType.VIEWER_REQUEST }],
    }
    this.behaviors = { [CONSOLE_PATH]: behavior, [`${CONSOLE_PATH}/*`]: behavior }
  }

  /** Nobody can list: every path has that of the origin before it. */
  allowReading(distributionArn: string): void {
    allowReading(this.#files, distributionArn, `${CONSOLE_FILES}*`)
  }
}
