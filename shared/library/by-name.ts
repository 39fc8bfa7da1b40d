/** As people sort names: letters before case and accents, "Folder 9" before "Folder 10". */
const names = new Intl.Collator('en', { numeric: true })

/** Orders what has a name, ascending. Ties are broken by id, so that every list has one order. */
export function byName<Named>(nameOf: (named: Named) => string, idOf: (named: Named) => number): (a: Named, b: Named) => number {
  return (a, b) => names.compare(nameOf(a), nameOf(b)) || idOf(a) - idOf(b)
}
