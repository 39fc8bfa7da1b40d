const NAME = 'console.recent-searches'
const MOST = 8

/** Searches of a user, the latest first. */
interface Kept {
  user: number
  searches: string[]
}

/** What was searched for in this tab, the latest first. It is kept until sign-out, or until the tab closes. */
export function recentSearches(): readonly string[] {
  return read()?.searches ?? []
}

export function rememberSearch(words: string): void {
  const kept = read()
  if (!kept) return
  const others = kept.searches.filter((other) => other.toLowerCase() !== words.toLowerCase())
  write({ ...kept, searches: [words, ...others].slice(0, MOST) })
}

/** Keeps those of a user from now on. Somebody else's are forgotten. */
export function keepSearchesOf(user: number): void {
  if (read()?.user !== user) write({ user, searches: [] })
}

export function forgetSearches(): void {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    // Storage may be turned off.
  }
}

function read(): Kept | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}

function write(kept: Kept): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // Storage may be turned off.
  }
}
