/**
 * The menu of subtitles: one entry for each track of the video, where hls.js and native players both put them.
 * @param {HTMLVideoElement} video
 * @param {HTMLElement} label with the menu
 */
export function connectSubtitles(video, label) {
  const menu = menuIn(label)
  const tracks = () => [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions')
  const shown = () => tracks().findIndex(({ mode }) => mode === 'showing')
  let latest = -1
  /** The first subtitles in a language of the user; without any, the first. */
  const preferred = () => {
    const languages = tracks().map(({ language }) => primary(language))
    const found = navigator.languages.map((each) => languages.indexOf(primary(each))).find((index) => index >= 0)
    return found ?? 0
  }
  /** @param {number} index */
  const choose = (index) => {
    tracks().forEach((track, at) => {
      track.mode = at === index ? 'showing' : 'disabled'
    })
    if (index >= 0) latest = index
  }
  const show = () => {
    const names = tracks().map(({ label, language }) => label || language)
    fill(menu, ['Off', ...names], shown())
    label.hidden = names.length === 0
    label.toggleAttribute('data-on', shown() >= 0)
  }
  menu.addEventListener('change', () => choose(Number(menu.value)))
  for (const name of ['addtrack', 'removetrack', 'change']) video.textTracks.addEventListener(name, show)
  return {
    /** Shows the subtitles of last time, or none where some show. */
    toggle: () => choose(shown() >= 0 ? -1 : latest >= 0 ? latest : preferred()),
  }
}

/** The menu of sizes. It says which one plays, also where there is nothing to choose. @param {HTMLElement} label with the menu */
export function connectQualities(label) {
  const menu = menuIn(label)
  fill(menu, ['Auto'], -1)
  return {
    /** @param {string[]} names largest first @param {(index: number) => void} choose by position; -1: whichever suits */
    offer(names, choose) {
      fill(menu, ['Auto', ...names], -1)
      menu.addEventListener('change', () => choose(Number(menu.value)))
    },
    /** @param {string} name of the size that plays */
    show(name) {
      label.querySelector('.shown')?.replaceChildren(name)
      menu.options[0]?.replaceChildren(`Auto (${name})`)
      label.hidden = false
    },
  }
}

/** @param {HTMLElement} label */
function menuIn(label) {
  const menu = label.querySelector('select')
  if (!menu) throw new TypeError(`the page has no menu in ${label.id}`)
  return menu
}

/** The language alone: `en` of `en-GB`. @param {string} tag */
const primary = (tag) => tag.toLowerCase().replace(/-.*/, '')

/**
 * Fills a menu. The first entry has the value -1, the others count from 0.
 * @param {HTMLSelectElement} menu
 * @param {string[]} names
 * @param {number} chosen value
 */
function fill(menu, names, chosen) {
  menu.replaceChildren(...names.map((name, index) => new Option(name, String(index - 1), false, index - 1 === chosen)))
}
