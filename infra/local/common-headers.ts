import { requestIdHeader } from '../../shared/http/middleware/access-log.ts'

/** Who asked, as far as answers made outside of the kernel have to know. */
export interface Asked {
  brand: string
  requestId: string
  origin: string | undefined
}

/** The headers that every answer carries (decision 3). */
export function commonHeaders({ brand, requestId, origin }: Asked): Record<string, string> {
  const idHeader = requestIdHeader(brand)
  return {
    [idHeader]: requestId,
    Vary: 'Origin',
    'Access-Control-Expose-Headers': idHeader,
    ...(origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin }),
  }
}
