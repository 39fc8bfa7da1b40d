import type { Key } from '../../backends/table/port.ts'

/** An item's key as one text. Sort keys of checked items contain no space. */
export const addressOf = ({ pk, sk }: Key): string => `${pk} ${sk}`

export function keyAt(address: string): Key {
  const space = address.lastIndexOf(' ')
  return { pk: address.slice(0, space), sk: address.slice(space + 1) }
}

/** The id in a part of a key: 5 in `COMPANY#5`. The caller knows its type. */
export const idIn = <Id extends number>(part: string): Id => Number(part.split('#')[1]) as Id

/** The kind of an item: the words before the ids in its key, as in `COMPANY FOLDER`. */
export const kindOf = ({ pk, sk }: Key): string => `${pk.split('#', 1)[0]} ${sk.split('#', 1)[0]}`
