import type { Client } from '@opensearch-project/opensearch'
import type { Aliases } from './alias-names.ts'
import { whileWaking } from './waking.ts'

/**
 * Names of the indexes that have these aliases now. Both may be of one index for a moment.
 * @throws IndexBehind when the engine does not answer in time
 */
export async function indexesOf(client: Client, { current, next }: Aliases, maxWaitMs: number): Promise<Partial<Aliases>> {
  const known = await whileWaking(maxWaitMs, async (requestTimeout) => {
    const { body } = await client.indices.getAlias({}, { requestTimeout })
    return Object.entries(body).flatMap(([index, { aliases }]) => Object.keys(aliases).map((alias) => [alias, index] as const))
  })
  const byAlias = new Map(known)
  const [found, filling] = [byAlias.get(current), byAlias.get(next)]
  return { ...(found !== undefined && { current: found }), ...(filling !== undefined && { next: filling }) }
}
