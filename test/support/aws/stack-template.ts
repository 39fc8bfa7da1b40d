/** A synthesized template, as far as its adaptation reads it. */
export interface Template {
  Resources: Record<string, Resource>
  Outputs: Record<string, { Value: unknown }>
}

interface Resource {
  Type: string
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
  Properties: Record<string, any>
  DependsOn?: string[]
}

/** What a stack finds instead of AWS. */
export interface Emulated {
  /** Of the emulator, on loopback. */
  port: number
  /** Address of what stands in for MediaConvert; without one, jobs wait. */
  mediaConvertUrl?: string | undefined
  /** Address of what stands in for Rekognition; without one no keywords are suggested. */
  rekognitionUrl?: string | undefined
}

/**
 * Says in other words, or leaves out, what the emulator doesn't know of a template. What is lost by that is named in
 * test/rehearsal/limits.ts.
 */
export function adaptTemplate(template: Template, stackName: string, { port, mediaConvertUrl, rekognitionUrl }: Emulated): void {
  for (const id of idsOf('AWS::MediaConvert::Queue', template)) leaveOutQueue(id, stackName, template)
  for (const [id, resource] of Object.entries(template.Resources)) {
    const { Type, Properties } = resource
    if (Type === 'AWS::CloudFront::PublicKey') publishKey(id, resource, stackName, template)
    if (Type === 'AWS::CloudFront::KeyGroup') delete template.Resources[id]
    // The emulator takes no alarm of a query.
    if (Type === 'AWS::CloudWatch::Alarm' && Properties.Metrics) delete template.Resources[id]
    if (Type === 'AWS::CloudFront::Function') Properties.FunctionCode = withoutOrigins(Properties.FunctionCode)
    if (Type === 'AWS::CloudFront::Distribution') adaptDistribution(Properties.DistributionConfig, template, port)
    if (Type === 'AWS::ApiGateway::RestApi') liftExtensions(id, resource, template)
    if (Type === 'AWS::IAM::Role')
      for (const { PolicyDocument } of Properties.Policies ?? []) PolicyDocument.Statement.forEach(adaptStatement)
    if (Type === 'AWS::Lambda::Function') Properties.Architectures = [process.arch === 'arm64' ? 'arm64' : 'x86_64']
    const { Variables } = Properties?.Environment ?? {}
    if (Variables?.TRANSCODING_QUEUE_ARN && mediaConvertUrl) Variables.AWS_ENDPOINT_URL_MEDIACONVERT = mediaConvertUrl
    if (Properties?.FunctionName === `${stackName}-suggest-keywords` && rekognitionUrl)
      Variables.AWS_ENDPOINT_URL_REKOGNITION = rekognitionUrl
  }
}

/** The emulator has no MediaConvert. Jobs are sent to a queue of this ARN; a stand-in takes them. */
function leaveOutQueue(id: string, stackName: string, template: Template): void {
  delete template.Resources[id]
  const arn = { 'Fn::Sub': `arn:\${AWS::Partition}:mediaconvert:\${AWS::Region}:\${AWS::AccountId}:queues/${stackName}` }
  const isItsArn = (value: unknown) => JSON.stringify(value) === JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] })
  template.Resources = JSON.parse(JSON.stringify(template.Resources), (_, value) => (isItsArn(value) ? arn : value))
}

/** The emulator knows no module of CloudFront's, so an edge function chooses no origin: whatever it lets through goes to the default one. */
function withoutOrigins(code: string): string {
  return code.replace("import cf from 'cloudfront'", 'const cf = { selectRequestOriginById() {} }')
}

/** CloudFront's public key becomes a parameter, which has an id as well; tests read it among the outputs. */
function publishKey(id: string, { Properties }: Resource, stackName: string, template: Template): void {
  const Value = Properties.PublicKeyConfig.EncodedKey
  template.Resources[id] = { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Name: `${stackName}-url-key`, Value } }
  template.Outputs.UrlPublicKey = { Value }
  template.Outputs.UrlKeyPairId = { Value: { Ref: id } }
}

/**
 * The emulator judges the sending of mail without the identity and the address that it is sent from. It has a right of its own for batches of
 * messages, where SQS asks for that to send one.
 */
function adaptStatement(statement: { Action: string | string[]; Resource: unknown; Condition?: unknown }): void {
  if (statement.Action === 'sqs:SendMessage') statement.Action = ['sqs:SendMessage', 'sqs:SendMessageBatch']
  if (statement.Action !== 'ses:SendEmail') return
  statement.Resource = '*'
  delete statement.Condition
}

// biome-ignore lint/suspicious/noExplicitAny: the configuration of a distribution.
function adaptDistribution(config: any, template: Template, port: number): void {
  delete config.DefaultCacheBehavior.TrustedKeyGroups
  const [api] = idsOf('AWS::ApiGateway::RestApi', template)
  for (const origin of config.Origins) {
    if (!origin.CustomOriginConfig || !JSON.stringify(origin.DomainName).includes('execute-api')) continue
    // The emulator dials no host of AWS. Its gateway is at a path of its own address.
    origin.DomainName = 'localhost'
    origin.CustomOriginConfig.HTTPSPort = port
    origin.OriginPath = { 'Fn::Join': ['', ['/_aws/execute-api/', { Ref: api }, origin.OriginPath]] }
  }
}

const verbs = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options']

/** The gateway's settings that API Gateway also takes from the OpenAPI document, as properties, resources and methods. */
function liftExtensions(id: string, { Properties }: Resource, template: Template): void {
  const { Body } = Properties
  for (const path of Object.values<Record<string, unknown>>(Body.paths)) {
    for (const verb of verbs) path[verb] ??= path['x-amazon-apigateway-any-method']
    delete path['x-amazon-apigateway-any-method']
  }
  Properties.BinaryMediaTypes = Body['x-amazon-apigateway-binary-media-types']
  const responses: Record<string, { statusCode?: string; responseParameters: object; responseTemplates: object }> =
    Body['x-amazon-apigateway-gateway-responses']
  // Past the delivery network.
  template.Outputs.GatewayPath = { Value: { 'Fn::Join': ['', ['/_aws/execute-api/', { Ref: id }]] } }
  const lifted: string[] = []
  for (const [ResponseType, { statusCode, responseParameters, responseTemplates }] of Object.entries(responses)) {
    const name = `${id}${ResponseType.replaceAll('_', '')}`
    lifted.push(name)
    template.Resources[name] = {
      Type: 'AWS::ApiGateway::GatewayResponse',
      Properties: {
        RestApiId: { Ref: id },
        ResponseType,
        ...(statusCode ? { StatusCode: statusCode } : {}),
        ResponseParameters: responseParameters,
        ResponseTemplates: responseTemplates,
      },
    }
  }
  // A deployment is a snapshot.
  for (const deployment of idsOf('AWS::ApiGateway::Deployment', template)) {
    const resource = template.Resources[deployment]!
    resource.DependsOn = [...(resource.DependsOn ?? []), ...lifted]
  }
  delete Body['x-amazon-apigateway-binary-media-types']
  delete Body['x-amazon-apigateway-gateway-responses']
}

function idsOf(type: string, { Resources }: Template): string[] {
  return Object.keys(Resources).filter((id) => Resources[id]?.Type === type)
}
