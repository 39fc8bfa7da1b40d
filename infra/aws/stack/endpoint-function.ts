import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { allUses, DEFAULT_TIMEOUT_SECONDS, type Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import type { Uses } from '../../../shared/resources.ts'
import { endpointFunctionName } from './endpoint-share.ts'
import { GATEWAY_TIMEOUT_SECONDS } from './gateway-document.ts'
import { type ServiceDefaults, serviceFunction } from './service-function.ts'

export interface EndpointDefaults extends ServiceDefaults {
  /** SHA-256, in hex, of each key by which the delivery network may prove itself, with commas between them. */
  originKeyHash: string
  /** Log group of the whole API. */
  logGroup: ILogGroup
  /** Name of the whole stack, which the nested ones of endpoints are parts of. */
  stackName: string
}

export interface EndpointFunctionProps {
  key: string
  /** Those that it answers. They use the same. */
  endpoints: readonly Pick<Endpoint, 'route' | 'summary' | 'timeoutSeconds' | 'memoryMb' | 'temporaryMb' | 'access' | 'uses'>[]
}

/** The Lambda function of one endpoint, or of several. */
export class EndpointFunction extends Construct {
  readonly lambda: LambdaFunction

  constructor(scope: Construct, { key, endpoints }: EndpointFunctionProps, defaults: EndpointDefaults) {
    super(scope, key)
    const [{ route, summary, ...first }, ...others] = endpoints as [EndpointFunctionProps['endpoints'][number]]
    const largest = (of: (endpoint: typeof first) => number | undefined) => Math.max(...[first, ...others].map((each) => of(each) ?? 0))
    const timeoutSeconds = largest((each) => each.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS)
    const [memoryMb, temporaryMb] = [largest((each) => each.memoryMb), largest((each) => each.temporaryMb)]
    const also = others.length > 0 ? `, and ${others.length} more` : ''
    if (timeoutSeconds > GATEWAY_TIMEOUT_SECONDS) {
      throw new Error(`${key}: a time-out of ${timeoutSeconds} s is above the gateway's ${GATEWAY_TIMEOUT_SECONDS} s`)
    }
    this.lambda = httpFunction(
      this,
      { key, description: `${route(defaults.settings)}: ${summary}${also}`, timeoutSeconds, memoryMb, temporaryMb, uses: allUses(first) },
      defaults,
    )
  }
}

/** The function that answers whatever no endpoint does. */
export class FallbackFunction extends Construct {
  readonly lambda: LambdaFunction

  constructor(scope: Construct, key: string, defaults: EndpointDefaults) {
    super(scope, key)
    const description = 'Preflight requests, unknown paths and methods'
    this.lambda = httpFunction(this, { key, description, timeoutSeconds: 5, uses: {} }, defaults)
  }
}

/** The function that answers the documentation routes. */
export class DocumentationFunction extends Construct {
  readonly lambda: LambdaFunction

  constructor(scope: Construct, key: string, defaults: EndpointDefaults) {
    super(scope, key)
    this.lambda = httpFunction(
      this,
      { key, description: 'The API document, and its reference', timeoutSeconds: DEFAULT_TIMEOUT_SECONDS, uses: {} },
      defaults,
    )
  }
}

interface HttpFunction {
  key: string
  description: string
  timeoutSeconds: number
  memoryMb?: number | undefined
  temporaryMb?: number | undefined
  uses: Uses
}

function httpFunction(scope: Construct, { memoryMb, temporaryMb, ...props }: HttpFunction, defaults: EndpointDefaults): LambdaFunction {
  const { logGroup, originKeyHash, stackName } = defaults
  const environment = { ORIGIN_KEY_HASH: originKeyHash }
  const size = { ...(memoryMb ? { memoryMb } : {}), ...(temporaryMb ? { temporaryMb } : {}) }
  const functionName = endpointFunctionName(stackName, props.key)
  return serviceFunction(scope, { ...props, ...size, functionName, logGroup, environment }, defaults)
}
