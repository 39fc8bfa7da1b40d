import { mediaIn, streamIn } from './address.js'
import { connectQualities, connectSubtitles } from './choices.js'
import { actionsOn, connectControls } from './controls.js'
import { connectKeys } from './keys.js'
import { openStream } from './stream.js'

const sentences = {
  none: 'The address of this page names no video. Ask whoever gave it to you for a new one.',
  gone: 'This video is no longer here.',
  unreachable: "The video can't be loaded right now.",
  unplayable: "This browser can't play the video.",
}

start(document.documentElement.dataset)

function start({ cdn, library, integrity }) {
  const part = (id) => document.getElementById(id)
  const player = part('player')
  const fail = (why) => {
    player.dataset.state = 'failed'
    for (const id of ['controls', 'start']) part(id).hidden = true
    part('notice').hidden = false
    part('again').hidden = why !== 'unreachable'
    part('sentence').textContent = sentences[why]
  }
  const folder = streamIn(location.search, cdn)
  if (!folder) return fail('none')

  const video = document.createElement('video')
  Object.assign(video, { id: 'video', playsInline: true, tabIndex: -1, poster: `${folder}poster.jpg` })
  player.prepend(video)
  const media = mediaIn(location.search)
  if (media) document.title = `Video ${media}`
  const actions = actionsOn(video, player)
  const subtitles = connectSubtitles(video, part('subtitles'))
  const qualities = connectQualities(part('quality'))
  connectControls(video, player, actions)
  connectKeys(video, actions, subtitles)
  part('again').addEventListener('click', () => location.reload())
  video.addEventListener('loadedmetadata', () => {
    part('controls').hidden = false
    part('start').hidden = !video.paused
  })
  openStream(
    video,
    `${folder}index.m3u8`,
    { url: library, integrity },
    {
      showsQuality: qualities.show,
      hasQualities: qualities.offer,
      failed: fail,
    },
  )
}
