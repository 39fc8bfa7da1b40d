import type { AvailableMedia } from '../media/media.ts'
import { fillFilmFacts, lacksFilmFacts, type Probing } from './film-facts.ts'
import { type Hashing, hashPicture, lacksThumbHash } from './hash-picture.ts'

/** What fillers work with. */
export type Filling = Hashing & Probing

/** Finds out a fact of files that versions before it did not note. */
interface Filler {
  /** Whether a file lacks it, as far as the file's record tells. */
  lacks(media: AvailableMedia): boolean
  /** Notes it. Throws where the file doesn't allow that. */
  fill(library: Filling, media: AvailableMedia): Promise<void>
}

/** What is filled in, by the names under which the table says how far that is. A new name looks at all files once. */
export const fillers: Readonly<Record<string, Filler>> = {
  thumbhash: { lacks: lacksThumbHash, fill: hashPicture },
  'film-facts': { lacks: lacksFilmFacts, fill: fillFilmFacts },
}
