import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda'
import type { events } from '../../functions/events.ts'

/** Concurrent executions that the requests of a busy page take, besides imports. */
const FOR_REQUESTS = 50

/** Concurrent executions that no function may reserve: Lambda refuses a reservation that leaves fewer. */
const NEVER_RESERVED = 100

/**
 * Compares the account's limit of concurrent executions, ten in new accounts, with the need.
 * @returns a warning for the operator; undefined where the limit is high enough
 */
export async function concurrencyWarning(
  client: Pick<LambdaClient, 'send'>,
  { importConcurrency }: { importConcurrency: number },
): Promise<string | undefined> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}))
  const most = AccountLimit?.ConcurrentExecutions
  if (most === undefined || most >= importConcurrency + FOR_REQUESTS) return undefined
  return [
    `WARNING: Lambda runs at most ${most} functions of this account at a time in this region. Imports may take ${importConcurrency} of them`,
    '(importConcurrency in cdk.json), and while thousands of files are removed, that may take the others. Requests that find none free are',
    'refused with 5xx. To ask AWS for more, which takes hours to days:',
    '  aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  ].join('\n')
}

/**
 * How many pictures of links may be rendered at a time: so many as the operator wants, or fewer where the account can't reserve that many. A
 * reservation above what Lambda allows would fail the deployment.
 * @returns 0 where nothing can be reserved; then the account's limit is the bound
 */
export async function reservableRenders(
  client: Pick<LambdaClient, 'send'>,
  { stackName, renderConcurrency }: { stackName: string; renderConcurrency: number },
): Promise<number> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}))
  const free = (AccountLimit?.UnreservedConcurrentExecutions ?? 0) + (await reservedNow(client, stackName))
  return Math.max(Math.min(renderConcurrency, free - NEVER_RESERVED), 0)
}

/** What a stack that exists has reserved. */
async function reservedNow(client: Pick<LambdaClient, 'send'>, stackName: string): Promise<number> {
  try {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: `${stackName}-${'render-image' satisfies keyof typeof events}` })
    return (await client.send(command)).ReservedConcurrentExecutions ?? 0
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 0
    throw error
  }
}
