import {
  CloudFrontClient,
  type CloudFrontClientConfig,
  CreateInvalidationCommand,
  GetInvalidationCommand,
  NoSuchInvalidation,
} from '@aws-sdk/client-cloudfront'
import { requestLimits } from '../aws/request-limits.ts'
import { type EdgeCache, EdgeCacheBusy, EdgeCacheUnavailable, type Forgotten } from './port.ts'

/** A client with time limits on its requests. */
export function cloudFrontClient(config: CloudFrontClientConfig = {}): CloudFrontClient {
  return new CloudFrontClient({ requestHandler: requestLimits(10_000), ...config })
}

/**
 * The edges of a CloudFront distribution whose `CacheTagConfig` names the header with the tags.
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-by-tags.html
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/InvalidationLimits.html for paths
 */
export function cloudFrontCache({
  distributionId,
  client = cloudFrontClient(),
}: {
  distributionId: string
  client?: CloudFrontClient
}): EdgeCache {
  return {
    // Twice the time limit of a render.
    inFlightSeconds: 60,
    // Most invalidations are done within 25 s.
    pauseSeconds: 5,

    async invalidate(what, reference) {
      const items = itemsOf(what)
      const command = new CreateInvalidationCommand({
        DistributionId: distributionId,
        InvalidationBatch: { CallerReference: reference, Paths: { Quantity: items.length, Items: items } },
      })
      const { Invalidation } = await translated(() => client.send(command))
      return Invalidation!.Id!
    },

    async isDone(id) {
      try {
        const command = new GetInvalidationCommand({ DistributionId: distributionId, Id: id })
        const { Invalidation } = await translated(() => client.send(command))
        return Invalidation?.Status === 'Completed'
      } catch (error) {
        if (error instanceof EdgeCacheUnavailable && error.cause instanceof NoSuchInvalidation) return true
        throw error
      }
    },
  }
}

function itemsOf(what: Forgotten): string[] {
  return 'tags' in what ? what.tags.map((tag) => `#${tag}`) : what.prefixes.map((prefix) => `${prefix}*`)
}

/** Names of CloudFront's errors for too many requests: `Throttling`, `TooManyRequestsException`, `TooManyInvalidationsInProgress`. */
const BUSY = /^(Throttl|TooMany)/

/** Translates errors to those of the port. */
async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : 'unknown error'
    throw BUSY.test(name)
      ? new EdgeCacheBusy(`CloudFront asks for patience: ${name}`, { cause })
      : new EdgeCacheUnavailable(`CloudFront did not answer as it should: ${name}`, { cause })
  }
}
