import { Size, Stack } from 'aws-cdk-lib'
import { ApiDefinition, EndpointType, SpecRestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { Endpoint } from '../../shared/http/endpoint.ts'
import { documentationEndpoints } from '../../shared/http/openapi/documentation.ts'
import { endpointFunctions } from '../bundling/endpoint-functions.ts'
import { documentName, fallbackName } from '../bundling/entries.ts'
import { acceptFindings } from './accepted-findings.ts'
import { DocumentationFunction, type EndpointDefaults, EndpointFunction, FallbackFunction } from './endpoint-function.ts'
import { gatewayDocument } from './gateway-document.ts'
import { invokerRoles } from './invoker-roles.ts'
import { logGroupOf } from './service-function.ts'

const STAGE = 'v1'

/** The REST API: one function per endpoint, few of which answer several, behind one document. */
export class Api extends Construct {
  readonly restApi: SpecRestApi

  constructor(
    scope: Construct,
    id: string,
    props: { title: string; endpoints: Readonly<Record<string, Endpoint>> },
    service: Omit<EndpointDefaults, 'logGroup'>,
  ) {
    super(scope, id)
    const { title } = props
    const { settings } = service
    // One log group, because a stack takes 500 resources. The functions' lines name their routes.
    const defaults = { ...service, logGroup: logGroupOf(this, 'Logs', service) }
    const documentation = new DocumentationFunction(this, documentName, defaults)
    const lambdas = new Map([
      ...endpointFunctions(props.endpoints).flatMap(({ name, endpoints }) => {
        const { lambda } = new EndpointFunction(this, { key: name, endpoints: Object.values(endpoints) }, defaults)
        return Object.keys(endpoints).map((key) => [key, lambda] as const)
      }),
      ...Object.keys(documentationEndpoints).map((key) => [key, documentation.lambda] as const),
      [fallbackName, new FallbackFunction(this, fallbackName, defaults).lambda],
    ])
    const endpoints = { ...props.endpoints, ...documentationEndpoints }
    const invokeArn = (key: string) => invocationArn(lambdas.get(key)!)
    const roleOf = invokerRoles(this, lambdas)
    const integration = { invokeArn, fallback: fallbackName, credentials: (key: string) => roleOf(key).roleArn }
    const document = gatewayDocument(endpoints, integration, { title, ...settings })
    this.restApi = new SpecRestApi(this, 'RestApi', {
      restApiName: title,
      apiDefinition: ApiDefinition.fromInline(document),
      endpointTypes: [EndpointType.REGIONAL],
      // For clients that accept gzip. An answer with a Content-Encoding stays as it is: pictures, compressed files and large answers have one
      // (shared/http/output.ts, middleware/compression.ts).
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

/** The ARN through which API Gateway invokes a function: one operation of Lambda's API, of a version of that. */
function invocationArn(fn: LambdaFunction): string {
  const { partition, region } = Stack.of(fn)
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${fn.functionArn}/invocations`
}
