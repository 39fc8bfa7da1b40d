import { compareBytes } from './condition.ts'
import type { Query } from './port.ts'

/** Sort keys from `from` to `to`, both included, or up to `before`, which is not. Open where absent. */
export interface SortRange {
  from?: string
  to?: string
  before?: string
}

/** The sort keys that a query asks for. @returns undefined when there can't be any */
export function sortRange(sk: Query['sk']): SortRange | undefined {
  if (!sk) return {}
  if ('beginsWith' in sk) return prefixRange(sk.beginsWith.toWellFormed())
  const from = sk.from?.toWellFormed() || undefined
  const to = sk.to?.toWellFormed()
  if (to !== undefined && compareBytes(from ?? '', to) > 0) return undefined
  return to === '' ? undefined : { ...(from && { from }), ...(to && { to }) }
}

/** The strings that start with a prefix are those from it to before the prefix whose last character is the next one. */
function prefixRange(prefix: string): SortRange {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = characters.pop()!.codePointAt(0)!
    if (last === 0x10ffff) continue
    // Surrogates are no characters: after U+D7FF comes U+E000.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return { from: prefix, before: characters.join('') + String.fromCodePoint(next) }
  }
  return prefix === '' ? {} : { from: prefix }
}
