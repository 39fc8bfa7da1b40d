import { jsonLog } from '../../log/json-log.ts'
import { systemClock } from '../clock/port.ts'
import { secretsManager } from '../secrets/secrets-manager.ts'
import type { StockLibrary } from './port.ts'
import { stockProvider } from './provider.ts'

/** The provider that a Lambda function's environment names (infra/grants.ts). */
export function providerOfFunction(): Omit<StockLibrary, 'thumbnail'> {
  const { STOCK_PROVIDER_URL: baseUrl = '', STOCK_PROVIDER_HOSTS: hosts, STOCK_PROVIDER_KEY_ARN: keyArn } = process.env
  const secrets = keyArn ? secretsManager({ arns: { stockProviderKey: keyArn } }) : undefined
  return stockProvider({
    baseUrl,
    hosts: hosts ? hosts.split(',') : [],
    clock: systemClock,
    log: jsonLog((line) => process.stdout.write(`${line}\n`)),
    ...(secrets && { key: () => secrets.get('stockProviderKey') }),
  })
}
