import type { Json } from '../infra/aws/stack/synthesized.ts'
import type { DeployedResource } from './deployed-template.ts'
import { type Access, isAllowed, type Statement } from './policy.ts'

/** Somebody to whom everything is allowed: what is denied to them is denied to all. */
export const ALL_RIGHTS = 'somebody with all rights'

/** A statement with whom or what it belongs to. */
export interface Held {
  /** Logical id of the role or of the policy's resource. */
  owner: string
  /** `role:<logical id>` of the role whose own statement it is; undefined for statements that stand at a resource. */
  by?: string
  /** ARN at which it stands, of a bucket for its objects too. */
  at?: string
  statement: Statement
}

/** All policies of a deployment. */
export class Account {
  readonly #held: Held[] = []
  readonly #ofRoles: ReadonlyMap<string | undefined, Held[]>

  constructor(resources: readonly DeployedResource[]) {
    // What stands at another resource, as a function's address does, may have its name.
    const named = resources.map(({ ref, attributes }): [string, string | undefined] => [ref, attributes.Arn ?? attributes.TopicArn])
    const arns = new Map(named.filter(([, arn]) => arn !== undefined))
    for (const resource of resources) this.#held.push(...heldBy(resource, (ref) => arns.get(ref)))
    this.#ofRoles = Map.groupBy(this.#held, ({ by }) => by)
  }

  statements(): readonly Held[] {
    return this.#held
  }

  /**
   * Whether the access is allowed. Within one account a role may do what its own policies or the resource's allow; a service needs the
   * resource's word. A denial on either side is final.
   */
  allows(access: Access): boolean {
    const standing = (this.#ofRoles.get(undefined) ?? []).filter(({ at }) => isWithin(at!, access.resource))
    const statements = [...(this.#ofRoles.get(access.by) ?? []), ...standing].map(({ statement }) => statement)
    return isAllowed(access.by === ALL_RIGHTS ? [everything, ...statements] : statements, access)
  }
}

const everything: Statement = { Effect: 'Allow', Action: '*', Resource: '*' }

/** Whether a resource is what a policy stands at, or an object in it. */
export function isWithin(arn: string, resource: string): boolean {
  return resource === arn || resource.startsWith(`${arn}/`)
}

/** The statements of one resource of the template. @throws Error for kinds of policies that aren't known here */
function heldBy({ id, type, properties, attributes }: DeployedResource, arnOf: (ref: string) => string | undefined): Held[] {
  const standing = (at: string | undefined, statements: Statement[]): Held[] => {
    if (!at) throw new Error(`${type} ${id} stands at nothing that is known`)
    return statements.map((statement) => ({ owner: id, at, statement }))
  }
  switch (type) {
    case 'AWS::IAM::Role': {
      const unknown = Object.keys(properties).filter((key) => key !== 'AssumeRolePolicyDocument' && key !== 'Policies')
      if (unknown.length > 0) throw new Error(`a role with ${unknown.join(', ')} can't be judged`)
      const own: Statement[] = (properties.Policies ?? []).flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
      return [
        ...own.map((statement) => ({ owner: id, by: `role:${id}`, statement })),
        ...standing(attributes.Arn, properties.AssumeRolePolicyDocument.Statement),
      ]
    }
    case 'AWS::S3::BucketPolicy':
      return standing(arnOf(properties.Bucket), properties.PolicyDocument.Statement)
    case 'AWS::SQS::QueuePolicy':
      return properties.Queues.flatMap((queue: string) => standing(arnOf(queue), properties.PolicyDocument.Statement))
    case 'AWS::SNS::TopicPolicy':
      return properties.Topics.flatMap((topic: string) => standing(arnOf(topic), properties.PolicyDocument.Statement))
    case 'AWS::Lambda::Permission':
      // Named by its ARN, too.
      return standing(arnOf(properties.FunctionName) ?? /^arn:.*/.exec(properties.FunctionName)?.[0], [permissionStatement(properties)])
    case 'AWS::IAM::Policy':
    case 'AWS::IAM::ManagedPolicy':
    case 'AWS::SecretsManager::ResourcePolicy':
    case 'AWS::KMS::Key':
      throw new Error(`policies of ${type} can't be judged (${id})`)
  }
  return []
}

function permissionStatement({ Action, Principal, SourceArn, SourceAccount, ...more }: Json): Statement {
  const { FunctionUrlAuthType, InvokedViaFunctionUrl, ...others } = more
  const unknown = Object.keys(others).filter((key) => key !== 'FunctionName')
  if (unknown.length > 0) throw new Error(`a permission with ${unknown.join(', ')} can't be judged`)
  return {
    Effect: 'Allow',
    Action,
    Principal: { Service: Principal },
    Condition: {
      ...(SourceArn ? { ArnLike: { 'aws:SourceArn': SourceArn } } : {}),
      ...(SourceAccount ? { StringEquals: { 'aws:SourceAccount': SourceAccount } } : {}),
      ...(FunctionUrlAuthType ? { StringLike: { 'lambda:FunctionUrlAuthType': FunctionUrlAuthType } } : {}),
      ...(InvokedViaFunctionUrl ? { Bool: { 'lambda:InvokedViaFunctionUrl': String(InvokedViaFunctionUrl) } } : {}),
    },
  }
}
