import { preferences } from '../preferences.svelte.ts'

/** Where there is room for filters beside the list. */
const wide = matchMedia('(min-width: 1440px)')

/** Filters that stand beside the list on wide screens, until the person hides them. */
class WideFilters {
  #isWide = $state(wide.matches)

  constructor() {
    wide.addEventListener('change', () => {
      this.#isWide = wide.matches
    })
  }

  get isWide(): boolean {
    return this.#isWide
  }

  get isShown(): boolean {
    return this.#isWide && preferences.areFiltersOpen
  }
}

export const wideFilters = new WideFilters()
