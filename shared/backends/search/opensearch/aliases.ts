import type { Client } from '@opensearch-project/opensearch'
import type { Aliases } from './alias-names.ts'
import { whileWaking } from './waking.ts'

/**
 * Names of the indexes that have these aliases now. Both may be of one index for a moment.
 * @throws IndexBehind when the engine does not answer in time
 */
export async function indexesOf(client: Client, { current, next }: Aliases, patience: number): Promise<Partial<Aliases>> {
  const known = await whileWaking(patience, async (requestTimeout) => {
    // Where one of them is missing, the status says so, and the body tells of the other.
    const { body } = await client.indices.getAlias({ name: [current, next] }, { requestTimeout, ignore: [404] })
    return Object.entries(body).flatMap(([index, value]) => aliasesIn(value).map((alias) => [alias, index] as const))
  })
  const byAlias = new Map(known)
  const [found, filling] = [byAlias.get(current), byAlias.get(next)]
  return { ...(found !== undefined && { current: found }), ...(filling !== undefined && { next: filling }) }
}

/** @param value of an index; of a missing alias there are an error and a status beside them */
function aliasesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || !('aliases' in value)) return []
  return typeof value.aliases === 'object' && value.aliases !== null ? Object.keys(value.aliases) : []
}
