import type { Sound } from './video.ts'

/** An HLS group of a stream's sounds, one for each track. Players switch between the sounds of a group. */
export interface SoundGroup {
  id: 'audio' | 'surround'
  sounds: readonly GroupedSound[]
}

export interface GroupedSound extends Sound {
  /** Whether players may choose it automatically: the first of several tracks in one language. */
  isAutomatic: boolean
}

/** A group of all tracks in stereo and, if any track has 5.1, a group with 5.1, in which the other tracks are in stereo. */
export function soundGroups(sounds: readonly Sound[]): SoundGroup[] {
  const stereo = sounds.filter(({ channels }) => channels === 2)
  const surround = sounds.filter(({ channels }) => channels === 6)
  if (stereo.length === 0) return []
  const mixed = stereo.map((sound) => surround.find(({ track }) => track === sound.track) ?? sound)
  return [
    { id: 'audio', sounds: stereo.map(withChoice) },
    ...(surround.length > 0 ? [{ id: 'surround', sounds: mixed.map(withChoice) } as const] : []),
  ]
}

function withChoice(sound: Sound, index: number, group: readonly Sound[]): GroupedSound {
  return { ...sound, isAutomatic: sound.isDefault || group.findIndex(({ language }) => language === sound.language) === index }
}
