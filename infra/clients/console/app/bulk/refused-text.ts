import { text } from '../language/language.svelte.ts'

const reasons: Readonly<Record<string, () => string>> = {
  not_found: () => text.refusedGone,
  not_in_folder: () => text.refusedNotInFolder,
  changed_since: () => text.refusedChanged,
}

/**
 * How many files were refused, and why; empty where none was.
 * @param codes of those that are known
 * @param total of all
 * @param forbidden which right is missing, where that is known
 */
export function refusedText(codes: readonly string[], total: number, forbidden = text.refusedForbidden): string {
  if (total === 0) return ''
  const counts = new Map<string, number>()
  for (const code of codes) {
    const reason = code === 'forbidden' ? forbidden : (reasons[code] ?? (() => text.refusedOther))()
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const parts = [...counts].map(([reason, count]) => (counts.size > 1 ? `${reason} (${count})` : reason))
  return text.refused(total, parts.join(', '))
}
