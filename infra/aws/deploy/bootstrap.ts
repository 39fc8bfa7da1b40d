import { type CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation'

/**
 * Arguments of `cdk bootstrap` for a qualifier of the operator's own.
 * @returns undefined where the account has that bootstrap, whatever its stack is called: who made it keeps it
 */
export async function bootstrapOf(client: CloudFormationClient, qualifier: string | undefined): Promise<string[] | undefined> {
  if (qualifier === undefined) return ['bootstrap']
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
    if (Stacks.some((stack) => isBootstrap(stack, qualifier))) return undefined
  }
  return ['bootstrap', '--qualifier', qualifier, '--toolkit-stack-name', `CDKToolkit-${qualifier}`]
}

/** Source: the template of `cdk bootstrap --show-template`. */
function isBootstrap({ Parameters = [], Outputs = [] }: Stack, qualifier: string): boolean {
  const isItsOwn = Parameters.some((each) => each.ParameterKey === 'Qualifier' && each.ParameterValue === qualifier)
  return isItsOwn && Outputs.some(({ OutputKey }) => OutputKey === 'BootstrapVersion')
}
