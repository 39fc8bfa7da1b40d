import { MediaQuery } from 'svelte/reactivity'
import { preferences } from '../preferences.svelte.ts'

/** Where there is room for filters beside the list. */
const wide = new MediaQuery('min-width: 1440px')

/** Filters that stand beside the list on wide screens, until the person hides them. */
export const wideFilters = {
  get isWide(): boolean {
    return wide.current
  },
  get isShown(): boolean {
    return wide.current && preferences.areFiltersOpen
  },
}
