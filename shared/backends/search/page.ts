/** A part of a list of files. */
export interface Page {
  limit: number
  offset: number
  direction: 'asc' | 'desc'
}

/**
 * The same page, read from the nearer end of the list, because reading skips all files before a page.
 * @param total files in the list
 * @returns undefined for an empty page. `isTurned`: files are read in the opposite order
 */
export function nearerEnd(total: number, { limit, offset, direction }: Page): (Page & { isTurned: boolean }) | undefined {
  const wanted = Math.min(limit, total - offset)
  if (wanted <= 0) return undefined
  const behind = total - offset - wanted
  if (offset <= behind) return { limit: wanted, offset, direction, isTurned: false }
  return { limit: wanted, offset: behind, direction: direction === 'asc' ? 'desc' : 'asc', isTurned: true }
}

/** Reads a page from the end that is nearer to it. @param read gives a page of the list */
export function fromNearerEnd(total: number, page: Page, read: (page: Page) => number[]): number[] {
  const near = nearerEnd(total, page)
  if (!near) return []
  const found = read(near)
  return near.isTurned ? found.reverse() : found
}
