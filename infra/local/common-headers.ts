import { requestIdHeader } from '../../shared/http/middleware/access-log.ts'
import { corsHeaders } from '../../shared/http/middleware/cors.ts'

/** Who asked, as far as answers made outside of the kernel have to know. */
export interface Asked {
  brand: string
  requestId: string
  origin: string | undefined
}

/** The headers that every answer carries (decision 3). */
export function commonHeaders({ brand, requestId, origin }: Asked): Record<string, string> {
  return { [requestIdHeader(brand)]: requestId, ...corsHeaders(brand, origin) }
}
