import type { FileHandle } from 'node:fs/promises'
import { isOfTheSystem } from '../failure.ts'
import type { Probed } from './probe.ts'
import { type Contained, probeContainer } from './probe-container.ts'
import { shownSize } from './shown-size.ts'

/**
 * Reads the tracks of a film by two readers: one knows some containers, and all that they say of their tracks; MediaInfo knows the sizes of all.
 * @throws Error for files of which neither knows anything
 */
export async function probeFilm(handle: FileHandle): Promise<Probed> {
  const shown = await shownSize(handle).catch(unlessOfTheSystem)
  const { size, ...contained } = await probeContainer(handle).catch((error: unknown) => {
    if (shown && !isOfTheSystem(error)) return pictures
    throw error
  })
  // What a container says beside the codec counts, and of square pixels it says nothing.
  const { width, height } = (size?.hasSquarePixels ? shown : size) ?? shown ?? size ?? { width: null, height: null }
  return { ...contained, hasVideo: contained.hasVideo || shown !== undefined, width, height }
}

/** A film in a container of which nothing else is known. */
const pictures: Contained = {
  hasVideo: true,
  hasAudio: false,
  facts: { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio: null, isHdr: false },
}

/** A film that one reader doesn't know is left to the other. */
function unlessOfTheSystem(error: unknown): undefined {
  if (isOfTheSystem(error)) throw error
}
