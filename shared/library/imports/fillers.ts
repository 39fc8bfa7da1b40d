import type { AvailableMedia } from '../media/media.ts'
import { fillFilmFacts, lacksFilmFacts, type Probing } from './film-facts.ts'
import { type Hashing, hashPicture, lacksThumbHash } from './hash-picture.ts'

/** Dependencies of fillers. */
export type Filling = Hashing & Probing

/** Adds a fact that earlier versions didn't store. */
interface Filler {
  /** Whether a file's record lacks it. */
  lacks(media: AvailableMedia): boolean
  /** Stores it. Throws where the file doesn't allow that. */
  fill(library: Filling, media: AvailableMedia): Promise<void>
}

/** All fillers, by the names of their progress records. A new name processes all files once. */
export const fillers: Readonly<Record<string, Filler>> = {
  thumbhash: { lacks: lacksThumbHash, fill: hashPicture },
  'film-facts': { lacks: lacksFilmFacts, fill: fillFilmFacts },
}
