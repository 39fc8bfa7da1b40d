import { createHash } from 'node:crypto'
import { type CfnStack, NestedStack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

/**
 * Nested stacks of endpoints. Each has room for some 85: IAM takes 10,240 characters of a role's policies, and the gateway's role names each function.
 * With another number most functions would get other names.
 */
const SHARES = 6

/**
 * The share of an endpoint's function. It depends on the name alone, so shares fill evenly whatever part of the API grows, and no function moves to
 * another stack: CloudFormation makes it there before it removes the former one, and both would have one name.
 */
export const shareOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32BE() % SHARES

/** The name of an endpoint's function. It holds the share, so that a function may move: the update makes it in its new share before it removes it in the other one. */
export const endpointFunctionName = (stackName: string, key: string): string => `${stackName}-${shareOf(key)}-${key}`

/** A share of the functions behind the gateway, in a stack of their own, because a stack takes 500 resources. */
export class EndpointShare extends NestedStack {
  /**
   * The role by which the gateway invokes these functions, and no others. A permission at each would be a resource each. Only who may pass a role
   * can give it to another API.
   */
  readonly invoker: Role

  /** @param make makes the functions in the scope that it gets */
  constructor(scope: Construct, share: number, make: (scope: Construct) => LambdaFunction[]) {
    super(scope, `Endpoints${share}`)
    // Nested stacks are named after it, and it stands at every method of the API's document.
    const { nestedStackResource } = this
    ;(nestedStackResource as CfnStack).overrideLogicalId(`Endpoints${share}`)
    this.invoker = new Role(this, `Invoker${share}`, {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: make(this).map(({ functionArn }) => functionArn) }),
          ],
        }),
      },
    })
  }
}
