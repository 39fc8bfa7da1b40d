import { api, dataOf } from '../api/client.ts'
import type { IconName } from '../ui/Icon.svelte'
import { recentSearches } from './recent-searches.ts'

/** Milliseconds after the last letter until the service is asked. */
const PATIENCE = 120
/** Of each kind. */
const MOST = 6

/** What somebody who types is offered. */
export interface Choice {
  kind: 'recent' | 'folder' | 'word'
  icon: IconName
  name: string
  /** Of a folder. */
  id?: number
}

/** Suggestions for what is being typed. */
export class Suggestions {
  choices = $state.raw<readonly Choice[]>([])
  #asked = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Looks for what begins so. What is known at once is offered at once. */
  look(typed: string): void {
    const text = typed.trim()
    clearTimeout(this.#timer)
    this.#asked = text
    const recent = recentSearches()
      .filter((words) => words.toLowerCase().startsWith(text.toLowerCase()) && words !== text)
      .slice(0, MOST)
      .map((name): Choice => ({ kind: 'recent', icon: 'clock', name }))
    // Others stay until the answer is there, so that the list doesn't flicker.
    this.choices = [...recent, ...(text ? this.choices.filter(({ kind }) => kind !== 'recent') : [])]
    if (text) this.#timer = setTimeout(() => void this.#ask(text, recent), PATIENCE)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#asked = ''
    this.choices = []
  }

  async #ask(text: string, recent: readonly Choice[]): Promise<void> {
    // Without suggestions it can be searched all the same.
    const found = await suggestionsFor(text, MOST).catch(() => undefined)
    if (!found || this.#asked !== text) return
    const isOffered = new Set(recent.map(({ name }) => name.toLowerCase()))
    const words = found.words.filter((word) => !isOffered.has(word.toLowerCase()))
    this.choices = [
      ...recent,
      ...found.folders.map(({ id, name }): Choice => ({ kind: 'folder', icon: 'folder', name, id })),
      ...words.map((name): Choice => ({ kind: 'word', icon: 'search', name })),
    ]
  }
}

/** @throws MediaLibraryError */
export function suggestionsFor(text: string, limit: number) {
  const q = Array.from(text).slice(0, 255).join('')
  return dataOf(api.GET('/search/suggest', { params: { query: { q, limit } } }))
}
