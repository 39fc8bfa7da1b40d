import type { ContentsId } from '../../vocabulary/ids.ts'

/**
 * Which of the folder's rights a pointer passes on: all, or READ alone. A pointer is read-only when its maker had READ on the file and no WRITE: a
 * copy gives no more rights than its maker had.
 */
export type PointerKind = 'full' | 'read-only'

/** The folders that hold a file, by contents ids, with the kind of each pointer. Immutable. */
export type Placement = ReadonlyMap<ContentsId, PointerKind>

/** A placement as a file's record stores it. */
export type StoredPlacement = {
  /** Contents ids of the folders that hold a pointer to the file; never empty. */
  folders: ContentsId[]
  /** The folders with read-only pointers. Absent where there are none. */
  readOnlyIn?: ContentsId[]
}

export function placementOf({ folders, readOnlyIn }: StoredPlacement): Placement {
  const readOnly = new Set(readOnlyIn)
  return new Map(folders.map((contents) => [contents, readOnly.has(contents) ? 'read-only' : 'full']))
}

export function storedPlacement(placement: Placement): Required<StoredPlacement> {
  const folders = [...placement.keys()]
  return { folders, readOnlyIn: folders.filter((contents) => placement.get(contents) === 'read-only') }
}

/** Puts a pointer into a folder. An existing full pointer stays full; an existing read-only one is replaced. */
export function withPointer(placement: Placement, contents: ContentsId, kind: PointerKind): Placement {
  return new Map([...placement, [contents, placement.get(contents) === 'full' ? 'full' : kind]])
}

export function withoutPointers(placement: Placement, gone: ReadonlySet<ContentsId>): Placement {
  return new Map([...placement].filter(([contents]) => !gone.has(contents)))
}

/** Moves the pointer of one folder to another and keeps its kind. It must exist. */
export function withMovedPointer(placement: Placement, from: ContentsId, to: ContentsId): Placement {
  return withPointer(withoutPointers(placement, new Set([from])), to, placement.get(from)!)
}
