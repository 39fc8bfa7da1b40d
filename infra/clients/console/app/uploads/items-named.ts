/**
 * The items of a sorted list that have one of some names. Pages between which no name lies are not read: of a long list and few names that is most of them.
 * @param page reads a page of the list, which is sorted by name without case
 */
export async function itemsNamed<Item>(
  names: readonly string[],
  nameOf: (item: Item) => string,
  page: (index: number) => Promise<{ items: readonly Item[]; pages: number }>,
): Promise<Item[]> {
  const wanted = new Set(names)
  const found: Item[] = []
  const look = async (from: number, to: number, keys: readonly string[]): Promise<void> => {
    if (from >= to || keys.length === 0) return
    const middle = Math.floor((from + to) / 2)
    const { items } = await read(middle)
    const [first, last] = [items[0], items.at(-1)]
    if (first === undefined || last === undefined) return look(from, middle, keys)
    const [start, end] = [keyOf(nameOf(first)), keyOf(nameOf(last))]
    // Equal names may go on on the pages beside.
    await look(
      from,
      middle,
      keys.filter((key) => compare(key, start) <= 0),
    )
    await look(
      middle + 1,
      to,
      keys.filter((key) => compare(key, end) >= 0),
    )
  }
  const read = async (index: number) => {
    const answer = await page(index)
    for (const item of answer.items) if (wanted.has(nameOf(item))) found.push(item)
    return answer
  }
  const { items, pages } = await read(0)
  const end = items.at(-1)
  const keys = [...new Set(names.map(keyOf))]
  if (end !== undefined)
    await look(
      1,
      pages,
      keys.filter((key) => compare(key, keyOf(nameOf(end))) >= 0),
    )
  return found
}

/** The key by which the service sorts names. A sigma at the end of a word has its own lower-case form, so letters are folded one by one. */
const keyOf = (name: string): string => Array.from(name.normalize('NFC'), foldCase).join('').normalize('NFC')

/** `ı` has the same capital as `i`, but is another letter. */
const foldCase = (letter: string): string => (letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase())

/** Compares by code points. */
function compare(one: string, other: string): number {
  const [ones, others] = [Array.from(one), Array.from(other)]
  for (const [index, letter] of ones.entries()) {
    const difference = letter.codePointAt(0)! - (others[index]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return ones.length - others.length
}
