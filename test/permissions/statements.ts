import type { Json } from '../infra/stack/synthesized.ts'
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
  return resources.flatMap((resource) => (resource.type === 'AWS::Lambda::Permission' ? [permission(resource)] : statementsOf(resource)))
}

function permission(resource: DeployedResource): Placed {
  const { id, type, properties } = resource
  return {
    where: `${type} ${id}`,
    resource,
    statement: properties,
    dropped: () => undefined,
    changed(change) {
      const copy = structuredClone(resource)
      change(copy.properties)
      return copy
    },
  }
}

function statementsOf(resource: DeployedResource): Placed[] {
  return documentsOf(resource).flatMap(({ Statement }, document) =>
    Statement.map((statement, at) => {
      const siblings = (copy: DeployedResource) => documentsOf(copy)[document]!.Statement
      const edited = (edit: (siblings: Json[]) => void) => {
        const copy = structuredClone(resource)
        edit(siblings(copy))
        return copy
      }
      return {
        where: `${resource.type} ${resource.id}: ${listOf(statement.Action).join(', ')} on ${listOf(statement.Resource).join(', ')}`,
        resource,
        statement,
        dropped: () => edited((all) => all.splice(at, 1)),
        changed: (change: (statement: Json) => void) => edited((all) => change(all[at])),
      }
    }),
  )
}

function documentsOf({ properties }: DeployedResource): { Statement: Json[] }[] {
  return [
    ...(properties.Policies ?? []).map(({ PolicyDocument }: Json) => PolicyDocument),
    properties.AssumeRolePolicyDocument,
    properties.PolicyDocument,
  ].filter(Boolean)
}
