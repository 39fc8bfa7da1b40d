import type { SlotLimits } from '../../../shared/library/concurrency/source-slots.ts'
import { PACE, type Pace } from './uploads/pace.ts'

/** How much clients may use at a time. */
export interface ClientLimits {
  connections: SlotLimits
  /** Posts of files. Fewer than `connections`, so that uploads alone never keep other requests out. */
  uploads: SlotLimits
  /** How slowly a file may come in, and an answer be taken. */
  pace: Pace
  /** Bytes of answers in memory that wait for their clients. */
  bytesHeld: number
}

export const CLIENT_LIMITS: ClientLimits = {
  connections: { total: 2_000, perSource: 1_200 },
  uploads: { total: 1_500, perSource: 900 },
  pace: PACE,
  bytesHeld: 256 * 1024 ** 2,
}

/**
 * Limits of a server behind a proxy. All connections come from the proxy's address, so only their total is limited: the proxy limits each
 * client's. Uploads are still limited by source, which the proxy tells.
 */
export function behindProxy({ connections, ...limits }: ClientLimits): ClientLimits {
  return { ...limits, connections: { ...connections, perSource: connections.total } }
}
