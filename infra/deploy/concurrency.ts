import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda'

/** Concurrent executions that the requests of a busy page take, besides imports. */
const FOR_REQUESTS = 50

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
