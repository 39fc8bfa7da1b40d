import { mediaIn, streamIn } from './address.js'
import { connectQualities, connectSubtitles } from './choices.js'
import { actionsOn, connectControls } from './controls.js'
import { connectKeys } from './keys.js'
import { part } from './parts.js'
import { openStream } from './stream.js'

const sentences = {
  none: 'The address of this page names no video. Ask whoever gave it to you for a new one.',
  gone: 'This video is no longer here.',
  unreachable: "The video can't be loaded right now.",
  unplayable: "This browser can't play the video.",
}

const player = part('player', HTMLElement)
const { cdn = '', formerCdns = '', library = '', integrity = '' } = document.documentElement.dataset

const folder = streamIn(location.href, cdn, formerCdns.split(' ').filter(Boolean))
if (folder) play(folder)
else fail('none')

/** @param {string} folder URL of the stream's folder, with trailing slash */
function play(folder) {
  const video = document.createElement('video')
  Object.assign(video, { id: 'video', playsInline: true, tabIndex: -1, poster: `${folder}poster.jpg` })
  player.prepend(video)
  const media = mediaIn(location.href)
  if (media) document.title = `Video ${media}`

  const actions = actionsOn(video, player)
  const subtitles = connectSubtitles(video, part('subtitles', HTMLElement))
  const qualities = connectQualities(part('quality', HTMLElement))
  connectControls(video, player, actions)
  connectKeys(video, actions, subtitles)
  part('again', HTMLButtonElement).addEventListener('click', () => location.reload())
  video.addEventListener('loadedmetadata', () => {
    part('controls', HTMLElement).hidden = false
    part('start', HTMLButtonElement).hidden = !video.paused
  })
  const listener = { showsQuality: qualities.show, hasQualities: qualities.offer, failed: fail }
  openStream(video, `${folder}index.m3u8`, { url: library, integrity }, listener)
}

/** Says why there is nothing to play. @param {keyof typeof sentences} why */
function fail(why) {
  player.dataset.state = 'failed'
  for (const id of ['controls', 'start']) part(id, HTMLElement).hidden = true
  part('notice', HTMLElement).hidden = false
  part('again', HTMLButtonElement).hidden = why !== 'unreachable'
  part('sentence', HTMLElement).textContent = sentences[why]
}
