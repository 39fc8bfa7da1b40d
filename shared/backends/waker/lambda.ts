import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { requestLimits } from '../aws/request-limits.ts'
import { type KindWaker, WakerUnavailable } from './port.ts'

/** A client whose requests end in time. */
export function lambdaClient(): LambdaClient {
  return new LambdaClient({ requestHandler: requestLimits(5000) })
}

/**
 * Invokes the function of a kind asynchronously: Lambda keeps what its concurrency doesn't take at once.
 * @param options.prefix of the names of functions @param options.kinds their names, with commas between them
 */
export function lambdaWaker({
  prefix,
  kinds = '',
  client = lambdaClient(),
}: {
  prefix: string
  kinds?: string
  client?: LambdaClient
}): KindWaker {
  return {
    kinds: kinds.split(',').filter((kind) => kind !== ''),
    async wake(kind, after) {
      const command = new InvokeCommand({
        FunctionName: `${prefix}${kind}`,
        InvocationType: 'Event',
        Payload: JSON.stringify({ ...(after !== undefined && { after }) }),
      })
      try {
        await client.send(command)
      } catch (cause) {
        throw new WakerUnavailable(`the function of "${kind}" could not be invoked`, { cause })
      }
    },
  }
}
