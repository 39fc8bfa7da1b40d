/** The menu of subtitles: one entry for each track of the video, which hls.js and native players both show there. */
export function connectSubtitles(video, label) {
  const select = label.querySelector('select')
  const tracks = () => [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions')
  const shown = () => tracks().findIndex(({ mode }) => mode === 'showing')
  let latest = -1
  /** The first subtitles in a language of the user; without any, the first. */
  const preferred = () => {
    const languages = tracks().map(({ language }) => primary(language))
    const found = navigator.languages.map((each) => languages.indexOf(primary(each))).find((index) => index >= 0)
    return found ?? 0
  }

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
    /** Shows the subtitles of last time, or none where some show. */
    toggle: () => choose(shown() >= 0 ? -1 : latest >= 0 ? latest : preferred()),
  }
}

/** The menu of sizes. It says which one plays, also where there is nothing to choose. */
export function connectQualities(label) {
  const select = label.querySelector('select')
  fill(select, ['Auto'], -1)
  return {
    /** @param {string[]} names largest first @param {(index: number) => void} choose by position; -1: whichever suits */
    offer(names, choose) {
      fill(select, ['Auto', ...names], -1)
      select.addEventListener('change', () => choose(Number(select.value)))
    },
    /** @param {string} name of the size that plays */
    show(name) {
      label.querySelector('.shown').textContent = name
      select.options[0].text = `Auto (${name})`
      label.hidden = false
    },
  }
}

/** @param {string} language tag @returns {string} the language alone: `en` of `en-GB` */
const primary = (language) => language.toLowerCase().split('-')[0]

/** Fills a menu. The first entry has the value -1, the others count from 0. */
function fill(select, names, chosen) {
  select.replaceChildren(...names.map((name, index) => new Option(name, String(index - 1), false, index - 1 === chosen)))
}
