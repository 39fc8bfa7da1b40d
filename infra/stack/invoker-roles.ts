import { createHash } from 'node:crypto'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

/** IAM takes 10,240 characters of policies a role: some 90 functions where names are as long as they may be. */
const ROLES = 3

/**
 * The roles by which the gateway invokes its functions, and no others. A permission at each function would be a resource each, and a stack
 * takes 500. Only who may pass a role can give it to another API.
 * @param functions by the keys of what they answer; one may answer several
 * @returns the role of a key, which depends on the key alone: a function that comes or goes takes no other one from its role
 */
export function invokerRoles(scope: Construct, functions: ReadonlyMap<string, LambdaFunction>): (key: string) => Role {
  const shares = Map.groupBy(functions, ([key]) => shareOf(key))
  const roles = new Map([...shares].sort(([a], [b]) => a - b).map(([share, those]) => [share, invokerRole(scope, share, those)]))
  return (key) => roles.get(shareOf(key))!
}

const shareOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32BE() % ROLES

function invokerRole(scope: Construct, share: number, functions: readonly [key: string, LambdaFunction][]): Role {
  const resources = [...new Set(functions.map(([, { functionArn }]) => functionArn))]
  return new Role(scope, `Invoker${share}`, {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: {
      invoke: new PolicyDocument({ statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources })] }),
    },
  })
}
