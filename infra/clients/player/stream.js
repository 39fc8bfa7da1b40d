/**
 * @typedef {typeof import('hls.js').default} Library hls.js
 *
 * @typedef {object} Listener
 * @property {(size: string) => void} showsQuality the size of the picture that plays: `720p`
 * @property {(sizes: string[], choose: (index: number) => void) => void} hasQualities sizes to choose from, largest first, and what takes one
 * by its position, -1 for whichever suits
 * @property {(why: 'gone' | 'unreachable' | 'unplayable') => void} failed
 */

/**
 * Plays a stream. hls.js does where the browser has Media Source Extensions, also where the browser plays HLS by itself: native players let nobody
 * choose a size, and don't say why they fail. iPhones have no such extensions, and their Safari plays HLS best by itself.
 * @param {HTMLVideoElement} video
 * @param {string} playlist URL
 * @param {{ url: string, integrity: string }} library hls.js
 * @param {Listener} listener
 */
export function openStream(video, playlist, library, listener) {
  video.addEventListener('resize', () => listener.showsQuality(sizeName(video.videoWidth, video.videoHeight)))
  if (!('MediaSource' in window)) openNatively(video, playlist, listener)
  else
    load(library).then(
      (Hls) => openByLibrary(Hls, video, playlist, listener),
      () => listener.failed('unreachable'),
    )
}

/**
 * Loads hls.js. Its integrity is the page's own word, so nobody can put another script in its place.
 * @param {{ url: string, integrity: string }} library
 * @returns {Promise<Library>}
 */
function load({ url, integrity }) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    Object.assign(script, {
      src: url,
      integrity,
      crossOrigin: 'anonymous',
      onload: () => resolve(Reflect.get(window, 'Hls')),
      onerror: reject,
    })
    document.head.append(script)
  })
}

/** Seconds that are loaded ahead, before and while the video plays: a page may embed many that nobody plays. */
const AHEAD = { before: 6, playing: 30 }

const settings = {
  // Segments are fMP4, which needs no work, and a worker would need a wider Content-Security-Policy.
  enableWorker: false,
  capLevelToPlayerSize: true,
  // Begins with a size for common lines, not with the smallest one, and throws no test away.
  abrEwmaDefaultEstimate: 2_000_000,
  testBandwidth: false,
  backBufferLength: 30,
  maxBufferLength: AHEAD.before,
  maxMaxBufferLength: AHEAD.before,
}

/** @param {Library} Hls @param {HTMLVideoElement} video @param {string} playlist @param {Listener} listener */
function openByLibrary(Hls, video, playlist, listener) {
  const hls = new Hls(settings)
  let isRecovered = false
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    // Browsers play in stereo, as a rule: sizes with 5.1 would only double the menu.
    const surround = hls.levels.flatMap(({ attrs }, index) => (attrs.AUDIO === 'surround' ? [index] : []))
    for (const index of surround.reverse()) hls.removeLevel(index)
    const sizes = hls.levels.map(({ width, height }) => sizeName(width, height)).reverse()
    listener.hasQualities(sizes, (index) => {
      hls.nextLevel = index < 0 ? -1 : sizes.length - 1 - index
    })
  })
  video.addEventListener('play', () => {
    hls.config.maxBufferLength = AHEAD.playing
    hls.config.maxMaxBufferLength = 2 * AHEAD.playing
  })
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, response }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !isRecovered && video.readyState > 0) {
      isRecovered = true
      hls.recoverMediaError()
      return
    }
    hls.destroy()
    if (type === Hls.ErrorTypes.NETWORK_ERROR) listener.failed(isGone(response?.code) ? 'gone' : 'unreachable')
    else listener.failed('unplayable')
  })
  hls.loadSource(playlist)
  hls.attachMedia(video)
}

/** @param {HTMLVideoElement} video @param {string} playlist @param {Listener} listener */
function openNatively(video, playlist, listener) {
  // A native player says nothing of the answer that it got.
  video.addEventListener('error', () => {
    fetch(playlist).then(
      ({ status, ok }) => listener.failed(isGone(status) ? 'gone' : ok ? 'unplayable' : 'unreachable'),
      () => listener.failed('unreachable'),
    )
  })
  video.src = playlist
}

/** A size is known by its shorter side. @param {number} width @param {number} height */
const sizeName = (width, height) => `${Math.min(width, height)}p`

/** @param {number | undefined} status */
const isGone = (status) => status === 404 || status === 410
