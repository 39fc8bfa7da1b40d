import { standardLog } from '../../log/json-log.ts'
import { systemClock } from '../clock/port.ts'
import { secretsManager } from '../secrets/secrets-manager.ts'
import type { StockLibrary } from './port.ts'
import { stockProvider } from './provider.ts'
import { providedThumbnails } from './provider-item.ts'

/** A provider in the environment of a Lambda function. */
interface ProviderEnvironment {
  /** Absent if the stock library is the catalogue. */
  url: string | undefined
  /** Separated by commas. */
  hosts: string | undefined
  /** ARN of the secret whose text is the key. */
  keyArn: string | undefined
}

/** The provider in a Lambda function's environment, without thumbnails. */
export function providerOfFunction({ url, hosts, keyArn }: ProviderEnvironment): Omit<StockLibrary, 'thumbnail'> | undefined {
  if (!url) return undefined
  const secrets = keyArn ? secretsManager({ arns: { stockProviderKey: keyArn } }) : undefined
  return stockProvider({
    baseUrl: url,
    hosts: hosts ? hosts.split(',') : [],
    clock: systemClock,
    log: standardLog(),
    ...(secrets && { key: async () => (await secrets.get('stockProviderKey')).current }),
  })
}

/** The same with thumbnails. @param genericPicture URL of the picture for items without one */
export function providerWithThumbnails(environment: ProviderEnvironment, genericPicture: () => Promise<string>): StockLibrary | undefined {
  const provider = providerOfFunction(environment)
  return provider && { ...provider, ...providedThumbnails(genericPicture) }
}
