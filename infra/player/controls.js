/** Milliseconds without a touch, after which a playing video hides its controls. */
const QUIET_AFTER = 3000

/** What the keyboard does, too. */
export function actionsOn(video, player) {
  return {
    toggle() {
      // A browser may refuse to play before anybody touched the page. The video stays paused then, and says so.
      if (video.paused) video.play().catch(() => undefined)
      else video.pause()
    },
    seek(seconds) {
      if (Number.isFinite(video.duration)) video.currentTime = Math.min(video.duration, Math.max(0, seconds))
    },
    mute() {
      video.muted = !video.muted
    },
    setVolume(volume) {
      video.volume = Math.min(1, Math.max(0, volume))
      video.muted = video.volume === 0
    },
    fullscreen() {
      if (document.fullscreenElement) document.exitFullscreen()
      else if (player.requestFullscreen) player.requestFullscreen().catch(() => undefined)
      // An iPhone shows a video alone in full screen.
      else video.webkitEnterFullscreen?.()
    },
  }
}

/** Connects video and controls: what is pressed happens, what happens is shown. */
export function connectControls(video, player, actions) {
  const part = (id) => document.getElementById(id)
  const [position, volume, start] = [part('position'), part('volume'), part('start')]

  part('play').addEventListener('click', actions.toggle)
  start.addEventListener('click', actions.toggle)
  part('mute').addEventListener('click', actions.mute)
  part('fullscreen').addEventListener('click', actions.fullscreen)
  part('fullscreen').hidden = !document.fullscreenEnabled && !video.webkitEnterFullscreen
  position.addEventListener('input', () => actions.seek(Number(position.value)))
  volume.addEventListener('input', () => actions.setVolume(Number(volume.value)))

  const on = (target, names, show) => {
    for (const name of names) target.addEventListener(name, show)
  }
  on(video, ['play', 'pause', 'ended'], () => {
    mark(part('play'), !video.paused, ['Play', 'Pause'])
    start.hidden = !video.paused
  })
  on(video, ['timeupdate', 'durationchange', 'seeking'], () => {
    const length = Number.isFinite(video.duration) ? video.duration : 0
    position.max = String(length)
    position.value = String(video.currentTime)
    position.setAttribute('aria-valuetext', `${timeText(video.currentTime)} of ${timeText(length)}`)
    part('passed').textContent = timeText(video.currentTime)
    part('length').textContent = `/ ${timeText(length)}`
  })
  on(video, ['volumechange'], () => {
    mark(part('mute'), video.muted, ['Mute', 'Unmute'])
    volume.value = String(video.muted ? 0 : video.volume)
  })
  on(document, ['fullscreenchange'], () => {
    mark(part('fullscreen'), document.fullscreenElement !== null, ['Full screen', 'Leave full screen'])
  })
  on(video, ['waiting', 'seeking'], () => {
    player.dataset.state = 'loading'
  })
  on(video, ['canplay', 'playing', 'seeked'], () => {
    player.dataset.state = 'ready'
  })
  hideWhenQuiet(video, player, actions)
}

/** Hides the controls of a video that plays while nobody does anything. */
function hideWhenQuiet(video, player, actions) {
  let timer = 0
  const wake = () => {
    delete player.dataset.quiet
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!video.paused) player.dataset.quiet = ''
    }, QUIET_AFTER)
  }
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin']) player.ownerDocument.addEventListener(name, wake)
  for (const name of ['play', 'pause']) video.addEventListener(name, wake)
  // The first touch shows the controls, so pointerdown, which comes before the click, must not have done so.
  let wasQuiet = false
  video.addEventListener('pointerdown', (event) => {
    wasQuiet = event.pointerType !== 'mouse' && player.dataset.quiet !== undefined
  })
  video.addEventListener('click', () => {
    if (!wasQuiet) actions.toggle()
  })
}

function mark(button, isOn, [off, on]) {
  button.toggleAttribute('data-on', isOn)
  button.setAttribute('aria-label', isOn ? on : off)
}

/** @param {number} seconds @returns {string} `1:02:03` */
function timeText(seconds) {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const end = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`
}
