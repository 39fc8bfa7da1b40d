import { standardLog } from '../../log/json-log.ts'
import { systemClock } from '../clock/port.ts'
import { secretsManager } from '../secrets/secrets-manager.ts'
import type { StockLibrary } from './port.ts'
import { stockProvider } from './provider.ts'
import { providedThumbnails } from './provider-item.ts'

/** What the environment of a Lambda function says of a provider. */
interface ProviderEnvironment {
  /** Absent where the stock library is the catalogue. */
  url: string | undefined
  /** Separated by commas. */
  hosts: string | undefined
  /** Secret whose text is the key. */
  keyArn: string | undefined
}

/** The provider that a Lambda function's environment names, without its thumbnails. */
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

/** The same with its thumbnails. @param genericPicture URL of the one that stands for items without any */
export function providerWithThumbnails(environment: ProviderEnvironment, genericPicture: () => Promise<string>): StockLibrary | undefined {
  const provider = providerOfFunction(environment)
  return provider && { ...provider, ...providedThumbnails(genericPicture) }
}
