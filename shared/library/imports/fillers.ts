import type { Writing } from '../library.ts'
import type { AvailableMedia } from '../media/media.ts'
import { askForEncoding } from '../videos/job.ts'
import { getVideo } from '../videos/video.ts'
import { fillFilmFacts, lacksFilmFacts, type Probing } from './film-facts.ts'
import { type Hashing, hashPicture, lacksThumbHash } from './hash-picture.ts'

/** Dependencies of fillers. */
export type Filling = Hashing & Probing & Pick<Writing, 'clock' | 'by'>

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
  // The job of a video stores silence behind sounds that are too short.
  'stream-lengths': { lacks: ({ kind }) => kind === 'video', fill: lengthenStream },
}

async function lengthenStream(library: Filling, { mediaId }: AvailableMedia): Promise<void> {
  const video = await getVideo(library, mediaId)
  if (video?.stream?.state === 'available') await library.table.transact({ encoding: askForEncoding(library, video) })
}
