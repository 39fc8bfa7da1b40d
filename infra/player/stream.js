/**
 * @typedef {object} Listener
 * @property {(quality: string) => void} showsQuality the size of the picture that plays: `720p`
 * @property {(names: string[], choose: (index: number) => void) => void} hasQualities sizes to choose from, largest first; -1 chooses by itself
 * @property {(why: 'gone' | 'unreachable' | 'unplayable') => void} failed
 */

/** The size of a picture: its shorter side. @param {{ width: number, height: number }} picture */
const nameOf = ({ width, height }) => `${Math.min(width, height)}p`

/**
 * Plays a stream. hls.js does where the browser has Media Source Extensions, also where the browser plays HLS by itself: native players let nobody
 * choose a size, and don't say why they fail. iPhones have no such extensions, and their Safari plays HLS best by itself.
 * @param {HTMLVideoElement} video
 * @param {string} playlist URL
 * @param {{ url: string, integrity: string }} library hls.js
 * @param {Listener} listener
 */
export function openStream(video, playlist, library, listener) {
  video.addEventListener('resize', () => listener.showsQuality(nameOf({ width: video.videoWidth, height: video.videoHeight })))
  if (!('MediaSource' in window)) openNatively(video, playlist, listener)
  else
    load(library).then(
      (Hls) => openByLibrary(new Hls(settings), Hls, video, playlist, listener),
      () => listener.failed('unreachable'),
    )
}

/** Loads hls.js. Its integrity is the page's own word, so nobody can put another script in its place. */
function load({ url, integrity }) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    Object.assign(script, { src: url, integrity, crossOrigin: 'anonymous', onload: () => resolve(window.Hls), onerror: reject })
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

function openByLibrary(hls, Hls, video, playlist, listener) {
  let isRecovered = false
  const last = () => hls.levels.length - 1
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    const names = hls.levels.map(nameOf).reverse()
    listener.hasQualities(names, (index) => {
      hls.nextLevel = index < 0 ? -1 : last() - index
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

const isGone = (status) => status === 404 || status === 410
