import type { Shares } from './http/slots.ts'
import { PACE, type Pace } from './uploads/pace.ts'

/** What clients may take up at a time. */
export interface ClientLimits {
  connections: Shares
  /** Posts of files. Less than `connections`, so that those who hold as many as they may keep nobody from the rest of the service. */
  uploads: Shares
  /** Of posts of files. */
  pace: Pace
}

export const CLIENT_LIMITS: ClientLimits = {
  connections: { total: 2_000, perSource: 1_200 },
  uploads: { total: 1_500, perSource: 900 },
  pace: PACE,
}

/** Behind a proxy all connections come from one address: the proxy bounds them. Who uploads is known from what it tells. */
export function behindProxy({ connections, ...limits }: ClientLimits): ClientLimits {
  return { ...limits, connections: { ...connections, perSource: connections.total } }
}
