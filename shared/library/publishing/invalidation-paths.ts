import { cacheTag } from '../links/public-keys.ts'
import { videoObjects } from '../videos/objects.ts'
import type { Invalidation } from './invalidation.ts'

/**
 * Most invalidations of an area that edges are asked for one by one; above, they are asked for the whole area. A path costs half a cent, whether
 * it names one link or all of an alias. What else the area has is fetched or rendered anew: some 300 pictures for the same half a cent.
 */
export const MOST_OF_AREA = 100

/** How edges are asked to forget something: by a tag, or by what its paths begin with. */
export type Naming = { tag: string } | { prefix: string }

/** @param pending all invalidations that are not done @returns how edges are asked for each of them from now on */
export function namingOf(pending: readonly Invalidation[]): (invalidation: Invalidation) => Naming {
  const crowded = new Set<string>()
  for (const [area, those] of Map.groupBy(pending, areaOf)) {
    if (area !== undefined && those.length > MOST_OF_AREA) crowded.add(area)
  }
  return (invalidation) => {
    const area = areaOf(invalidation)
    return area !== undefined && crowded.has(area) ? { prefix: area } : lastNamingOf(invalidation)
  }
}

/** How edges were asked for it before. Where an area was crowded then, its second round costs one path, too. */
export function lastNamingOf(invalidation: Invalidation): Naming {
  const { prefix } = invalidation
  if (prefix !== undefined) return { prefix }
  return 'linkId' in invalidation ? { tag: cacheTag(invalidation.linkId) } : { prefix: `/${videoObjects.stream(invalidation.encodingId)}` }
}

/** What can be forgotten as a whole: the links of an alias, which belong to one company, and all streams, which no work is lost with. */
function areaOf(invalidation: Invalidation): string | undefined {
  if ('encodingId' in invalidation) return `/${videoObjects.streams}`
  return invalidation.alias === undefined ? undefined : `/${invalidation.alias}/`
}
