/** Parameters of links that people set, in the order in which they are written. Others stay behind them as they are. */
const ORDER = ['crop', 'aspect', 'fit', 'focus', 'width', 'height', 'background', 'dpr', 'grayscale', 'hdr', 'output_format'] as const
export type LinkParameter = (typeof ORDER)[number]

/** What a query says of a parameter; empty where it says nothing. The first of several values counts. */
export const valueIn = (query: string, name: LinkParameter): string => new URLSearchParams(query).get(name)?.trim() ?? ''

/** The query with another value of a parameter. @param value empty takes it away */
export function withValue(query: string, name: LinkParameter, value: string): string {
  const given = new URLSearchParams(query)
  given.delete(name)
  if (value) given.append(name, value)
  const places = new Map<string, number>(ORDER.map((known, index) => [known, index]))
  const placeOf = (known: string) => places.get(known) ?? ORDER.length
  return [...given]
    .sort(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([known, text]) => `${written(known)}=${written(text)}`)
    .join('&')
}

/** Points and shapes stay readable: a query may hold these signs. */
const written = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')

/** A link's address with a query. @param query may be empty, or begin with a question mark as it was copied */
export function addressWith(url: string, query: string): string {
  const asked = query.trim().replace(/^\?/, '')
  return asked ? `${url}?${asked}` : url
}
