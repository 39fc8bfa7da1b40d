import type { TableReader } from '../../backends/table/port.ts'
import { openShare as open, requireProof } from '../../library/shares/visit.ts'
import { credentialsOf } from '../protocol/credentials.ts'
import type { Kernel, Middleware } from '../protocol/exchange.ts'
import { PROOF_COOKIE } from './share-link.ts'

/** Declares an endpoint for people without an account: they come by the secret in the path, and act as the link's maker as far as it goes. */
export const byShareLink = { access: 'share link', letsIn: openShare } as const

function openShare(kernel: Kernel, { table }: { table: TableReader }): Middleware {
  return {
    before: async ({ event, context: { exchange } }) => {
      const secret = event.pathParameters?.secret ?? ''
      const visit = await open({ table, clock: kernel.clock }, secret)
      requireProof(visit.share, secret, credentialsOf(event, kernel).cookie(PROOF_COOKIE))
      exchange.caller = visit.access.caller
      exchange.visit = visit
    },
  }
}
