const SEEK_SECONDS = 5
const VOLUME_STEP = 0.1

/** Plays the video by keyboard, wherever the focus is; what a focused control does with a key comes first. */
export function connectKeys(video, actions, subtitles) {
  const keys = {
    ' ': actions.toggle,
    k: actions.toggle,
    arrowleft: () => actions.seek(video.currentTime - SEEK_SECONDS),
    arrowright: () => actions.seek(video.currentTime + SEEK_SECONDS),
    arrowup: () => actions.setVolume(video.volume + VOLUME_STEP),
    arrowdown: () => actions.setVolume(video.volume - VOLUME_STEP),
    home: () => actions.seek(0),
    end: () => actions.seek(video.duration),
    f: actions.fullscreen,
    m: actions.mute,
    c: subtitles.toggle,
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return
    if (event.key === ' ' && event.target instanceof HTMLButtonElement) return
    if (event.key.startsWith('Arrow') && event.target.id === 'volume') return
    const act = keys[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
}
