import { requestIdHeader } from '../../../shared/http/middleware/access-log.ts'
import { corsHeaders } from '../../../shared/http/middleware/cors.ts'
import { securityHeaders } from '../../../shared/http/middleware/security.ts'

/** What an answer that the kernel doesn't make needs to know of its request. */
export interface AnsweredRequest {
  brand: string
  requestId: string
  origin: string | undefined
  /** Whether clients reach the server by TLS. */
  overTls: boolean
}

/** The headers that every answer carries. */
export function commonHeaders({ brand, requestId, origin, overTls }: AnsweredRequest): Record<string, string> {
  return { [requestIdHeader(brand)]: requestId, ...corsHeaders(brand, origin), ...securityHeaders(overTls) }
}
