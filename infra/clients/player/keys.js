const SEEK_SECONDS = 5
const VOLUME_STEP = 0.1

/**
 * Rules the video by keyboard, wherever the focus is. What a control that has the focus does with a key itself comes first.
 * @param {HTMLVideoElement} video
 * @param {import('./controls.js').Actions} actions
 * @param {{ toggle: () => void }} subtitles
 */
export function connectKeys(video, actions, subtitles) {
  /** @type {Record<string, () => void>} */
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
    if (event.ctrlKey || event.altKey || event.metaKey || isUsedBy(event.target, event.key)) return
    const act = keys[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
}

/** Whether a control does something with a key itself. @param {EventTarget | null} control @param {string} key */
function isUsedBy(control, key) {
  if (control instanceof HTMLSelectElement) return true
  if (control instanceof HTMLButtonElement) return key === ' '
  return control instanceof HTMLInputElement && control.id === 'volume' && key.startsWith('Arrow')
}
