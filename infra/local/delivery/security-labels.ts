import { securityHeaders } from '../../../shared/http/kernel/headers.ts'
import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import { isOverTls } from '../../../shared/http/protocol/viewer.ts'

/** The headers of every answer of the service, in lower case as those of deliveries: names that differ in case alone would be sent twice. */
export function securityLabels(kernel: Pick<Kernel, 'baseUrl'>): Record<string, string> {
  const headers = Object.entries(securityHeaders(isOverTls(kernel)))
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
}
