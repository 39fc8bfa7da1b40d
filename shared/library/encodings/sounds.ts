import { type AudioTrack, ONLY_SOUND, type Sound, type VideoFacts } from '../../vocabulary/video.ts'
import { languageName } from './languages.ts'

/** Channels of 5.1. Tracks with more are mixed down to it. */
const SURROUND = 6

/** The sounds of a video's stream: each track in stereo, and in 5.1 where it has as many channels. The track that players take comes first. */
export function soundsOf(facts: VideoFacts): Sound[] {
  const { hasAudio, audioTracks = [] } = facts
  if (hasAudio === false) return []
  if (audioTracks.length === 0) return [ONLY_SOUND]
  const first = defaultTrack(facts)
  const order = [first, ...audioTracks.keys().filter((index) => index !== first)]
  const names = new Set<string>()
  return order.flatMap((index) => {
    const track = audioTracks[index]!
    const sound = { track: index, name: uniqueName(track, names), language: track.language, isDefault: index === first }
    const part = index === 0 ? ONLY_SOUND.part : `${ONLY_SOUND.part}_${index + 1}`
    const stereo: Sound = { ...sound, part, channels: 2 }
    return (track.channels ?? 0) < SURROUND ? [stereo] : [stereo, { ...sound, part: `${part}_surround`, channels: SURROUND }]
  })
}

/** The track that players take: the first that the file says to be that, else the first. */
export const defaultTrack = ({ audioTracks = [] }: VideoFacts): number =>
  Math.max(
    0,
    audioTracks.findIndex(({ isDefault }) => isDefault),
  )

function uniqueName({ name, language }: AudioTrack, names: Set<string>): string {
  const own = name ?? (language === null ? 'Audio' : languageName(language))
  let unique = own
  for (let count = 2; names.has(unique); count++) unique = `${own} ${count}`
  names.add(unique)
  return unique
}
