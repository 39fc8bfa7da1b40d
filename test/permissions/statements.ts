import type { Json } from '../infra/aws/stack/synthesized.ts'
import type { DeployedResource } from './deployed-template.ts'
import { listOf } from './policy.ts'

/** A statement of a deployment, with where it stands. */
export interface Placed {
  where: string
  resource: DeployedResource
  statement: Json
  /** The resource without the statement; undefined where it is nothing else. */
  dropped(): DeployedResource | undefined
  /** The resource with the statement changed. @param change changes the statement that it gets */
  changed(change: (statement: Json) => void): DeployedResource
}

/** Every statement of every policy, the permissions of functions among them. */
export function statementsIn(resources: readonly DeployedResource[]): Placed[] {
  return resources.flatMap((resource): Placed[] => {
    const { id, type, properties } = resource
    const changed = (change: (properties: Json) => unknown) => {
      const copy = structuredClone(resource)
      change(copy.properties)
      return copy
    }
    if (type === 'AWS::Lambda::Permission')
      return [{ where: `${type} ${id}`, resource, statement: properties, dropped: () => undefined, changed }]
    return statementsOf(properties).flatMap((statements, policy) =>
      statements.map((statement, at) => ({
        where: `${type} ${id}: ${listOf(statement.Action).join(', ')} on ${listOf(statement.Resource).join(', ')}`,
        resource,
        statement,
        dropped: () => changed((copy) => statementsOf(copy)[policy]!.splice(at, 1)),
        changed: (change: (statement: Json) => void) => changed((copy) => change(statementsOf(copy)[policy]![at])),
      })),
    )
  })
}

/** By policies. */
function statementsOf({ Policies = [], AssumeRolePolicyDocument, PolicyDocument }: Json): Json[][] {
  const own = Policies.map((policy: Json) => policy.PolicyDocument)
  return [...own, AssumeRolePolicyDocument, PolicyDocument].filter(Boolean).map(({ Statement }) => Statement)
}
