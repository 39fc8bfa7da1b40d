import type { Json } from '../infra/stack/synthesized.ts'
import type { DeployedResource } from './deployed-template.ts'
import { listOf } from './policy.ts'

/** A statement of a deployment, with where it stands and how to change it. */
export interface Placed {
  where: string
  statement: Json
  /** Takes it out. */
  drop(): void
}

/** Every statement of every policy, the permissions of functions among them. */
export function statementsIn(resources: DeployedResource[]): Placed[] {
  return resources.flatMap((resource) => {
    const { id, type, properties } = resource
    if (type === 'AWS::Lambda::Permission') {
      return [{ where: `${type} ${id}`, statement: properties, drop: () => resources.splice(resources.indexOf(resource), 1) }]
    }
    const documents = [
      ...(properties.Policies ?? []).map(({ PolicyDocument }: Json) => PolicyDocument),
      properties.AssumeRolePolicyDocument,
      properties.PolicyDocument,
    ].filter(Boolean)
    return documents.flatMap(({ Statement: siblings }: { Statement: Json[] }) =>
      siblings.map((statement) => ({
        where: `${type} ${id}: ${listOf(statement.Action).join(', ')} on ${listOf(statement.Resource).join(', ')}`,
        statement,
        drop: () => siblings.splice(siblings.indexOf(statement), 1),
      })),
    )
  })
}
