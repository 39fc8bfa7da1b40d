import type { FileHandle } from 'node:fs/promises'
import { isOfTheSystem } from '../failure.ts'
import type { Probed } from './probe.ts'
import { type Contained, probeContainer } from './probe-container.ts'
import { shownSize } from './shown-size.ts'

/**
 * Probes a film with two parsers: `probeContainer` supports some containers, with all facts about their tracks; MediaInfo supports the
 * picture size of all.
 * @throws Error for files that neither can read
 */
export async function probeFilm(handle: FileHandle): Promise<Probed> {
  const shown = await shownSize(handle).catch(unlessOfTheSystem)
  const { size, ...contained } = await probeContainer(handle).catch((error: unknown) => {
    if (shown && !isOfTheSystem(error)) return pictures
    throw error
  })
  // The container's aspect ratio wins. Square pixels may only mean that it has none; then MediaInfo's size wins.
  const { width, height } = (size?.hasSquarePixels ? shown : size) ?? shown ?? size ?? { width: null, height: null }
  return { ...contained, hasVideo: contained.hasVideo || shown !== undefined, width, height }
}

/** A film of which only the size is known. */
const pictures: Contained = {
  hasVideo: true,
  hasAudio: false,
  facts: { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio: null, isHdr: false },
}

/** Undefined for films that one parser can't read; the other may. */
function unlessOfTheSystem(error: unknown): undefined {
  if (isOfTheSystem(error)) throw error
}
