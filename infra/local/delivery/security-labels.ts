import type { Kernel } from '../../../shared/http/exchange.ts'
import { securityHeaders } from '../../../shared/http/middleware/security.ts'
import { isOverTls } from '../../../shared/http/viewer.ts'

/** The headers of every answer of the service, in lower case as those of deliveries: names that differ in case alone would be sent twice. */
export function securityLabels(kernel: Pick<Kernel, 'baseUrl'>): Record<string, string> {
  const headers = Object.entries(securityHeaders(isOverTls(kernel)))
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
}
