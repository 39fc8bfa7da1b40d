import { type CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation'
import { describeStack } from '../library/stack.ts'

type Client = Pick<CloudFormationClient, 'send'>

/** Protects a stack from deletion. */
export async function protect(client: Client, StackName: string): Promise<void> {
  await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true }))
}

/** Why a stack can't be destroyed, in sentences; undefined where nothing protects it. */
export async function protectionOf(client: Client, stackName: string): Promise<string | undefined> {
  if (!(await describeStack(stackName, client))?.EnableTerminationProtection) return undefined
  return [
    `The stack ${stackName} is protected from deletion, as every one is that retains its data (retain). When it is destroyed its table, buckets and key stay.`,
    'Where that is what you want, end the protection and run `npm run destroy` again:',
    `  aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName} --region ${process.env.AWS_REGION}`,
  ].join('\n')
}
