import { DiskFull } from '../../library/errors.ts'
import type { Endpoint } from '../declaration/endpoint.ts'
import type { Kernel, Middleware } from '../protocol/exchange.ts'

/** Refuses what would write while the disk is full. What makes room there is done as long as it can be. */
export function room({ uses, makesRoom }: Pick<Endpoint, 'uses' | 'makesRoom'>, { isDiskFull }: Kernel): Middleware {
  const writes = uses.table?.startsWith('write') && !makesRoom
  return {
    before: () => {
      if (writes && isDiskFull?.()) throw new DiskFull()
    },
  }
}
