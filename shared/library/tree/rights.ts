/** What a user may do in a folder and everything below it. READ, WRITE and ADMIN are disjoint; WRITE lets upload too. */
export const rights = ['READ', 'WRITE', 'ADMIN', 'UPLOAD'] as const
export type Right = (typeof rights)[number]

/** A set of rights as bits: comparing and joining them is what permission checks do all day. */
export type RightSet = number

export const NO_RIGHTS: RightSet = 0
export const READ_ALONE: RightSet = rightSet(['READ'])
/** What publishing takes, on the CDN folder and on a folder that contains the file. */
export const TO_PUBLISH: RightSet = rightSet(['READ', 'WRITE'])
export const EVERY_RIGHT: RightSet = rightSet(rights)
export const FULL_RIGHTS: RightSet = rightSet(['READ', 'WRITE', 'ADMIN'])

export function rightSet(of: readonly Right[]): RightSet {
  return of.reduce((set, right) => set | (1 << rights.indexOf(right)), 0)
}

function includes(set: RightSet, right: Right): boolean {
  return (set & (1 << rights.indexOf(right))) !== 0
}

/** Whether a set includes this right, or another that implies it. WRITE lets upload too; nothing else implies anything. */
export function holds(set: RightSet, right: Right): boolean {
  return includes(set, right) || (right === 'UPLOAD' && includes(set, 'WRITE'))
}

/** Whether a set includes all of another. */
export function holdsAll(set: RightSet, wanted: RightSet): boolean {
  return (set & wanted) === wanted
}

/** The rights of every set that there can be: lists ask for thousands. */
const everySet = Array.from({ length: 2 ** rights.length }, (_, set) => rights.filter((right) => includes(set, right)))

export function rightsOf(set: RightSet): Right[] {
  return [...everySet[set]!]
}
