import { dynamoDbLocal } from './dynamodb-local.ts'
import type { Engine } from './engine.ts'
import { versitygw } from './versitygw.ts'

/** Tables and buckets, each by the engine that models it best. */
export const storage: Engine = {
  name: `${dynamoDbLocal.name} and ${versitygw.name}`,
  version: `${dynamoDbLocal.version} and ${versitygw.version}`,
  async start() {
    const buckets = await versitygw.start()
    try {
      const table = await dynamoDbLocal.start()
      const address = table.environment.AWS_ENDPOINT_URL!
      return {
        // The SDK prefers the address of a service to the one of all.
        environment: { ...buckets.environment, AWS_ENDPOINT_URL_DYNAMODB: address, AWS_ENDPOINT_URL_DYNAMODB_STREAMS: address },
        async stop() {
          await Promise.all([table.stop(), buckets.stop()])
        },
      }
    } catch (error) {
      await buckets.stop()
      throw error
    }
  },
}
