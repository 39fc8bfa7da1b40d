import type { Sound } from './video.ts'

/** Sounds of a stream between which players may change: one for each track. */
export interface SoundGroup {
  id: 'audio' | 'surround'
  sounds: readonly GroupedSound[]
}

export interface GroupedSound extends Sound {
  /** Players may choose it by themselves: of several tracks in one language the first. */
  isAutomatic: boolean
}

/** All tracks in stereo, and where some have 5.1 all with that: those that have none are in stereo there, too. */
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
