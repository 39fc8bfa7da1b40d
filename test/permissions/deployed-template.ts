import type { Json } from '../infra/aws/stack/synthesized.ts'

/** What `Ref` and `Fn::GetAtt` of one resource give. */
interface Physical {
  ref: string
  attributes: Readonly<Record<string, string>>
}

export interface Place {
  accountId: string
  region: string
  stackName: string
  /** The stack's id; one of our own choosing where absent. */
  stackId?: string
}

/** A resource as it is deployed: its properties hold values, not references. */
export interface DeployedResource extends Physical {
  id: string
  type: string
  properties: Json
}

/** Of a stack that isn't deployed. */
const STACK_UUID = '00000000-0000-4000-8000-000000000000'

/**
 * The resources of a template as CloudFormation would make them, or has made them.
 * @param ids physical ids of those that were made, by logical id; others get names of our own choosing
 */
export function deployedResources(template: Json, place: Place, ids: Readonly<Record<string, string>> = {}): DeployedResource[] {
  const made = new Map<string, Physical>()
  const physicalOf = (id: string): Physical => {
    const resource = template.Resources[id]
    if (!resource) throw new Error(`the template refers to ${id}, which it doesn't have`)
    const found = made.get(id) ?? physical(id, resource, place, ids[id])
    made.set(id, found)
    return found
  }
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': place.accountId,
    'AWS::Region': place.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': place.stackName,
    'AWS::StackId': place.stackId ?? `arn:aws:cloudformation:${place.region}:${place.accountId}:stack/${place.stackName}/${STACK_UUID}`,
  }
  const resolved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    const [[name, argument] = ['', undefined], ...others] = Object.entries<Json>(value)
    if (others.length === 0) {
      if (name === 'Ref') return pseudo[argument] ?? physicalOf(argument).ref
      if (name === 'Fn::GetAtt') {
        // It tells the ARNs of keys that it was given.
        const { Type, Properties } = template.Resources[argument[0]]
        if (Type === 'Custom::Secrets' && Properties[argument[1]]) return resolved(Properties[argument[1]])
        return physicalOf(argument[0]).attributes[argument[1]] ?? argument.join('.')
      }
      if (name === 'Fn::Join') return argument[1].map(resolved).join(argument[0])
      if (name === 'Fn::Split') return resolved(argument[1]).split(argument[0])
      if (name === 'Fn::Select') return resolved(argument[1])[argument[0]]
      if (name === 'Fn::Sub') return argument.replace(/\$\{([\w:]+)\}/g, (_: string, each: string) => resolved({ Ref: each }))
      // A region that has all.
      if (name === 'Fn::If') return resolved(argument[1])
      if (name.startsWith('Fn::')) throw new Error(`${name} can't be resolved here`)
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
  }

  return Object.entries<Json>(template.Resources).map(([id, { Type, Properties }]) => ({
    id,
    type: Type,
    properties: resolved(Properties ?? {}),
    ...physicalOf(id),
  }))
}

/** The name, and by it the ARN, that a resource gets, or has. */
function physical(id: string, { Type, Properties }: Json, { accountId, region, stackName }: Place, given?: string): Physical {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${accountId}:${resource}`
  // Queues have addresses, which end with their names; topics have ARNs.
  const name = given?.replace(/^(https:.*\/|arn:aws:sns:.*:)/, '') ?? `${stackName}-${id}`.toLowerCase()
  switch (Type) {
    case 'AWS::DynamoDB::Table':
      return {
        ref: name,
        attributes: { Arn: arn('dynamodb', `table/${name}`), StreamArn: arn('dynamodb', `table/${name}/stream/2026-01-01T00:00:00.000`) },
      }
    case 'AWS::S3::Bucket':
      return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } }
    case 'AWS::SQS::Queue': {
      const address = `https://sqs.${region}.amazonaws.com/${accountId}/${name}`
      return { ref: address, attributes: { Arn: arn('sqs', name), QueueName: name } }
    }
    case 'AWS::Lambda::Function':
      return { ref: Properties.FunctionName, attributes: { Arn: arn('lambda', `function:${Properties.FunctionName}`) } }
    case 'AWS::IAM::Role':
      return { ref: name, attributes: { Arn: `arn:aws:iam::${accountId}:role/${name}` } }
    case 'AWS::Logs::LogGroup':
      return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } }
    case 'AWS::Events::Rule':
      return { ref: name, attributes: { Arn: arn('events', `rule/${name}`) } }
    case 'AWS::MediaConvert::Queue':
      return { ref: name, attributes: { Arn: arn('mediaconvert', `queues/${name}`) } }
    case 'AWS::SNS::Topic':
      return { ref: arn('sns', name), attributes: { TopicArn: arn('sns', name) } }
    case 'AWS::Lambda::Url':
      return { ref: name, attributes: { FunctionUrl: `https://${name}.lambda-url.test/` } }
    case 'AWS::CloudFront::Distribution':
      return { ref: name, attributes: { Id: name, DomainName: `${name}.cloudfront.test` } }
    default:
      return { ref: name, attributes: {} }
  }
}
