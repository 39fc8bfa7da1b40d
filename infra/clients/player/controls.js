import { part } from './parts.js'

/** Milliseconds without a touch, after which a playing video hides its controls. */
const QUIET_AFTER = 3000

/** @typedef {ReturnType<typeof actionsOn>} Actions */

/**
 * What users do with the video, by whatever control.
 * @param {HTMLVideoElement & { webkitEnterFullscreen?: () => void }} video
 * @param {HTMLElement} player video and controls together
 */
export function actionsOn(video, player) {
  return {
    toggle() {
      // A browser may refuse to play before anybody touched the page. The video stays paused then, and says so.
      if (video.paused) video.play().catch(() => undefined)
      else video.pause()
    },
    /** @param {number} seconds */
    seek(seconds) {
      if (Number.isFinite(video.duration)) video.currentTime = Math.min(video.duration, Math.max(0, seconds))
    },
    mute() {
      video.muted = !video.muted
    },
    /** @param {number} volume 0 to 1 */
    setVolume(volume) {
      video.volume = Math.min(1, Math.max(0, volume))
      video.muted = video.volume === 0
    },
    canFillScreen: document.fullscreenEnabled || video.webkitEnterFullscreen !== undefined,
    fullscreen() {
      if (document.fullscreenElement) document.exitFullscreen()
      else if (document.fullscreenEnabled) player.requestFullscreen().catch(() => undefined)
      // An iPhone shows a video alone in full screen.
      else video.webkitEnterFullscreen?.()
    },
  }
}

/**
 * Connects video and controls: what is pressed happens, what happens is shown.
 * @param {HTMLVideoElement} video
 * @param {HTMLElement} player
 * @param {Actions} actions
 */
export function connectControls(video, player, actions) {
  const start = part('start', HTMLButtonElement)
  const play = part('play', HTMLButtonElement)
  const mute = part('mute', HTMLButtonElement)
  const fullscreen = part('fullscreen', HTMLButtonElement)
  const volume = part('volume', HTMLInputElement)

  play.addEventListener('click', actions.toggle)
  start.addEventListener('click', actions.toggle)
  mute.addEventListener('click', actions.mute)
  fullscreen.addEventListener('click', actions.fullscreen)
  fullscreen.hidden = !actions.canFillScreen
  volume.addEventListener('input', () => actions.setVolume(Number(volume.value)))

  on(video, ['play', 'pause', 'ended'], () => {
    mark(play, !video.paused, 'Play', 'Pause')
    start.hidden = !video.paused
  })
  on(video, ['volumechange'], () => {
    mark(mute, video.muted, 'Mute', 'Unmute')
    volume.value = String(video.muted ? 0 : video.volume)
  })
  on(document, ['fullscreenchange'], () => {
    mark(fullscreen, document.fullscreenElement !== null, 'Full screen', 'Leave full screen')
  })
  on(video, ['waiting', 'seeking'], () => {
    player.dataset.state = 'loading'
  })
  on(video, ['canplay', 'playing', 'seeked'], () => {
    player.dataset.state = 'ready'
  })
  connectPosition(video, actions)
  hideWhenQuiet(video, player, actions)
}

/** @param {HTMLVideoElement} video @param {Actions} actions */
function connectPosition(video, actions) {
  const position = part('position', HTMLInputElement)
  const [passed, all] = [part('passed', HTMLElement), part('length', HTMLElement)]
  position.addEventListener('input', () => actions.seek(Number(position.value)))
  on(video, ['timeupdate', 'durationchange', 'seeking'], () => {
    const length = Number.isFinite(video.duration) ? video.duration : 0
    position.max = String(length)
    position.value = String(video.currentTime)
    position.setAttribute('aria-valuetext', `${timeText(video.currentTime)} of ${timeText(length)}`)
    passed.textContent = timeText(video.currentTime)
    all.textContent = `/ ${timeText(length)}`
  })
}

/**
 * Hides the controls of a video that plays while nobody does anything.
 * @param {HTMLVideoElement} video
 * @param {HTMLElement} player
 * @param {Actions} actions
 */
function hideWhenQuiet(video, player, actions) {
  let timer = 0
  const wake = () => {
    delete player.dataset.quiet
    window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      if (!video.paused) player.dataset.quiet = ''
    }, QUIET_AFTER)
  }
  // The first touch of a quiet video shows its controls, a second one pauses it. A mouse has moved before it clicks.
  let wasQuiet = false
  video.addEventListener('pointerdown', () => {
    wasQuiet = player.dataset.quiet !== undefined
  })
  video.addEventListener('click', () => {
    if (!wasQuiet) actions.toggle()
  })
  on(document, ['pointermove', 'pointerdown', 'keydown', 'focusin'], wake)
  on(video, ['play', 'pause'], wake)
}

/** @param {EventTarget} target @param {string[]} names of events @param {() => void} act */
function on(target, names, act) {
  for (const name of names) target.addEventListener(name, act)
}

/** @param {HTMLButtonElement} button @param {boolean} isOn @param {string} off its name @param {string} whenOn */
function mark(button, isOn, off, whenOn) {
  button.toggleAttribute('data-on', isOn)
  button.setAttribute('aria-label', isOn ? whenOn : off)
}

/** @param {number} seconds @returns {string} `1:02:03` */
function timeText(seconds) {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const end = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`
}
