/** The menu of subtitles: one entry for each track of the video, which hls.js and native players both show there. */
export function connectSubtitles(video, label) {
  const select = label.querySelector('select')
  const tracks = () => [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions')
  const shown = () => tracks().findIndex(({ mode }) => mode === 'showing')
  let latest = 0

  const choose = (index) => {
    tracks().forEach((track, at) => {
      track.mode = at === index ? 'showing' : 'disabled'
    })
    if (index >= 0) latest = index
  }
  const show = () => {
    const names = tracks().map(({ label, language }) => label || language)
    fill(select, ['Off', ...names], shown())
    label.hidden = names.length === 0
    label.toggleAttribute('data-on', shown() >= 0)
  }
  select.addEventListener('change', () => choose(Number(select.value)))
  for (const name of ['addtrack', 'removetrack', 'change']) video.textTracks.addEventListener(name, show)
  return {
    /** Shows the subtitles of last time, or none. */
    toggle: () => choose(shown() >= 0 ? -1 : latest),
  }
}

/** The menu of sizes. It says which one plays, also where there is nothing to choose. */
export function connectQualities(label) {
  const select = label.querySelector('select')
  const text = label.querySelector('.shown')
  let names = []
  let playing = ''
  const show = () => {
    const auto = playing ? `Auto (${playing})` : 'Auto'
    fill(select, [auto, ...names], Number(select.value || -1))
    text.textContent = playing
    label.hidden = playing === ''
  }
  return {
    offer(given, choose) {
      names = given
      select.addEventListener('change', () => choose(Number(select.value)))
      show()
    },
    show(quality) {
      playing = quality
      show()
    },
  }
}

/** Fills a menu. The first entry has the value -1, the others count from 0. */
function fill(select, names, chosen) {
  select.replaceChildren(...names.map((name, index) => new Option(name, String(index - 1), false, index - 1 === chosen)))
}
