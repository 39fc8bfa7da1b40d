import { botocore } from './stack-botocore.ts'

const judge = `
iam = session.create_client('iam')
def decision(action, resource):
    return iam.simulate_principal_policy(PolicySourceArn=asked['role'], ActionNames=[action], ResourceArns=[resource])['EvaluationResults'][0]['EvalDecision']
answer = [f'{action} on {resource}' for action, resource in asked['rights'] if decision(action, resource) != 'allowed']`

/**
 * Has the emulator judge what a role may do.
 * @param rights actions with their resources
 * @param environment names the account to the AWS SDK
 * @returns those that it may not, as `action on resource`
 */
export async function deniedTo(
  role: string,
  rights: readonly (readonly [string, string])[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  return (await botocore(judge, { role, rights }, environment)) as string[]
}
