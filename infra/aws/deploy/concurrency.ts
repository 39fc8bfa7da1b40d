import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda'
import type { events } from '../../../functions/events.ts'
import type { NamedFunction } from '../../../shared/runtime/consumer.ts'
import { type ConcurrencyLimits, executionsOf } from '../stack/concurrency.ts'

/** Concurrent executions that the requests of a busy page take. In small accounts they get half of all. */
const FOR_REQUESTS = 50

/** Concurrent executions that no function may reserve: Lambda refuses a reservation that leaves fewer. */
const NEVER_RESERVED = 100

/** The consumers' share of an account's concurrent executions. */
export interface ConsumerShare {
  /** Most executions of one consumer or function of jobs; undefined where all can have what they declare. */
  concurrency: number | undefined
  /** For the operator, where that is less than declared. */
  warning: string | undefined
  /** Whether requests have no room, though each takes the least. */
  isTight: boolean
}

/**
 * Compares the account's limit of concurrent executions, ten in new accounts, with what consumers of queues and of the table's changes and
 * jobs may take together, and lowers the maximum of each until requests have room.
 */
export async function consumerShare(
  client: Pick<LambdaClient, 'send'>,
  functions: readonly NamedFunction[],
  settings: Pick<ConcurrencyLimits, 'importConcurrency'>,
): Promise<ConsumerShare> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}))
  const limit = AccountLimit?.ConcurrentExecutions
  const taken = (most: number) => executionsOf(functions, { ...settings, consumerConcurrency: most }).reduce((sum, each) => sum + each, 0)
  const room = Math.max((limit ?? Infinity) - FOR_REQUESTS, (limit ?? Infinity) / 2)
  if (limit === undefined || taken(Infinity) <= room) return { concurrency: undefined, warning: undefined, isTight: false }
  let concurrency = Math.max(...executionsOf(functions, settings))
  while (concurrency > 1 && taken(concurrency) > room) concurrency--
  const left = Math.max(limit - taken(concurrency), 0)
  const warning = [
    `WARNING: Lambda runs at most ${limit} functions of this account at a time in this region. Imports and other jobs could take`,
    `${taken(Infinity)} of them; this deployment gives each function of jobs at most ${concurrency}, and all together ${taken(concurrency)}, which leaves ${left} to requests while`,
    'all are busy. Jobs wait for one another, and requests that find none free are refused with 5xx. To ask AWS for more, which takes hours',
    'to days (then deploy again):',
    '  aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  ].join('\n')
  return { concurrency, warning, isTight: taken(concurrency) > room }
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

/** The reserved executions of an existing stack. */
async function reservedNow(client: Pick<LambdaClient, 'send'>, stackName: string): Promise<number> {
  try {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: `${stackName}-${'render-image' satisfies keyof typeof events}` })
    return (await client.send(command)).ReservedConcurrentExecutions ?? 0
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 0
    throw error
  }
}
