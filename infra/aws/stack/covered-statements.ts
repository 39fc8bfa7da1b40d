import { Stack } from 'aws-cdk-lib'
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

/** A statement that allows actions, as a template holds it. */
interface Allowed {
  Action: string | string[]
  Resource: unknown
  Condition?: unknown
}

/**
 * Leaves out what other statements allow as well: kinds of jobs that share a function declare their rights each for itself.
 * @param statements that allow
 */
export function withoutCovered(scope: Construct, statements: readonly PolicyStatement[]): PolicyStatement[] {
  const stack = Stack.of(scope)
  const written = statements.map((statement) => stack.resolve(statement.toStatementJson()) as Allowed)
  return statements.filter(
    (_, at) => !written.some((other, n) => n !== at && covers(other, written[at]!) && !(n > at && covers(written[at]!, other))),
  )
}

function covers(wide: Allowed, narrow: Allowed): boolean {
  const actions = [wide.Action].flat()
  const resources = [wide.Resource].flat().map((each) => JSON.stringify(each))
  return (
    wide.Condition === undefined &&
    [narrow.Action].flat().every((action) => actions.includes(action)) &&
    [narrow.Resource].flat().every((each) => resources.some((resource) => isWithin(JSON.stringify(each), resource)))
  )
}

/** Whether a resource is another one, or among the objects of the bucket that the other one names by `*`. Both as JSON. */
function isWithin(resource: string, other: string): boolean {
  const [start] = other.split('/*"', 1) as [string]
  return resource === other || (start !== other && resource.startsWith(`${start}/`))
}
