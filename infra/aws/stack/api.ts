import { Size, Stack } from 'aws-cdk-lib'
import { ApiDefinition, EndpointType, SpecRestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { documentationEndpoints } from '../../../shared/http/openapi/documentation.ts'
import { endpointFunctions } from '../bundling/endpoint-functions.ts'
import { documentName, fallbackName } from '../bundling/entries.ts'
import { acceptFindings } from './accepted-findings.ts'
import { DocumentationFunction, type EndpointDefaults, EndpointFunction, FallbackFunction } from './endpoint-function.ts'
import { EndpointShare, endpointFunctionName, shareOf } from './endpoint-share.ts'
import { gatewayDocument } from './gateway-document.ts'
import { functionArn } from './job-function.ts'
import { logGroupOf } from './service-function.ts'

const STAGE = 'v1'

/** A function that the gateway sends requests to, with the keys of what it answers. */
interface BehindGateway {
  name: string
  keys: readonly string[]
  make(scope: Construct): { lambda: LambdaFunction }
}

/** The REST API: one function per endpoint, few of which answer several, behind one document. */
export class Api extends Construct {
  readonly restApi: SpecRestApi

  constructor(
    scope: Construct,
    id: string,
    props: { title: string; endpoints: Readonly<Record<string, Endpoint>> },
    service: Omit<EndpointDefaults, 'logGroup' | 'stackName'>,
  ) {
    super(scope, id)
    const { title } = props
    const { settings } = service
    // One log group for all. The functions' lines name their routes.
    const defaults = { ...service, logGroup: logGroupOf(this, 'Logs', service), stackName: Stack.of(this).stackName }
    const functions: BehindGateway[] = [
      ...endpointFunctions(props.endpoints).map(({ name, endpoints }) => ({
        name,
        keys: Object.keys(endpoints),
        make: (scope: Construct) => new EndpointFunction(scope, { key: name, endpoints: Object.values(endpoints) }, defaults),
      })),
      {
        name: documentName,
        keys: Object.keys(documentationEndpoints),
        make: (scope) => new DocumentationFunction(scope, documentName, defaults),
      },
      { name: fallbackName, keys: [fallbackName], make: (scope) => new FallbackFunction(scope, fallbackName, defaults) },
    ]
    const shares = new Map(
      [...Map.groupBy(functions, ({ name }) => shareOf(name))].map(
        ([share, those]) => [share, new EndpointShare(this, share, (scope) => those.map(({ make }) => make(scope).lambda))] as const,
      ),
    )
    const names = new Map(functions.flatMap(({ name, keys }) => keys.map((key) => [key, name] as const)))
    const endpoints = { ...props.endpoints, ...documentationEndpoints }
    const integration = {
      invokeArn: (key: string) => invocationArn(this, endpointFunctionName(defaults.stackName, names.get(key)!)),
      fallback: fallbackName,
      credentials: (key: string) => shares.get(shareOf(names.get(key)!))!.invoker.roleArn,
    }
    const document = gatewayDocument(endpoints, integration, { title, ...settings })
    this.restApi = new SpecRestApi(this, 'RestApi', {
      restApiName: title,
      apiDefinition: ApiDefinition.fromInline(document),
      endpointTypes: [EndpointType.REGIONAL],
      // For clients that accept gzip. An answer with a Content-Encoding stays as it is: pictures, compressed files and large answers have one
      // (shared/http/kernel/answer.ts, compression.ts).
      minCompressionSize: Size.kibibytes(1),
      // That role would be the whole account's in this region, not this stack's.
      cloudWatchRole: false,
      deployOptions: { stageName: STAGE },
    })
    acceptFindings(this.restApi, {
      'AwsSolutions-APIG2': 'Functions validate, and tell every problem of an input at once.',
      'AwsSolutions-APIG3': 'A web ACL costs by the month; an operator who wants one puts it before the distribution.',
      ...Object.fromEntries(
        ['AwsSolutions-APIG1', 'AwsSolutions-APIG6', 'Serverless-APIGWAccessLogging'].map((rule) => [
          rule,
          'Functions log every request; the gateway would need a role for the whole account and region.',
        ]),
      ),
      'Serverless-APIGWDefaultThrottling': "The account's limits hold; sign-ins are throttled by user and address.",
      'Serverless-APIGWXrayEnabled': 'A request is one function that logs its id and its time; there is no chain to trace.',
    })
    // CDK would output the gateway's own address. Clients use CloudFront's.
    this.restApi.node.tryRemoveChild('Endpoint')
  }
}

/**
 * The ARN through which API Gateway invokes a function: one operation of Lambda's API, of a version of that. It is made of the name, because nested
 * stacks have too few outputs for one a function.
 */
function invocationArn(scope: Construct, functionName: string): string {
  const stack = Stack.of(scope)
  return `arn:${stack.partition}:apigateway:${stack.region}:lambda:path/2015-03-31/functions/${stack.formatArn(functionArn(functionName))}/invocations`
}
