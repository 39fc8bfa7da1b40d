import { untrack } from 'svelte'
import { tree } from '../folders/tree.svelte.ts'
import { session } from '../session.svelte.ts'
import { isImported } from './calls.ts'
import { FileList } from './list.svelte.ts'
import type { Parameters } from './query.ts'

/** How often changes by others are looked for, in milliseconds. */
const WATCH = 10_000
/** How often the list is read again while files are imported, in milliseconds, and how many times. */
const POLL = 2_000
const MOST_TRIES = 60

/** The list that the page shows. It stays while a file is looked at over it. */
class CurrentList {
  list = $state.raw<FileList>()
  #key = ''

  /** Shows what others changed, while the page is visible. @returns what ends that */
  watch(): () => void {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible' || session.isOver) return
      // What can't be read now is read the next time.
      Promise.all([this.list?.refresh(), tree.refreshOpen()]).catch(() => undefined)
    }, WATCH)
    return () => clearInterval(timer)
  }

  /** Reads the list again, and again until a file that was uploaded is imported. */
  async showNew(lastUploaded: number | undefined): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await this.list?.load()
      if (lastUploaded === undefined || (await isImported(lastUploaded))) break
      await new Promise((resolve) => setTimeout(resolve, POLL))
    }
    await this.list?.load()
  }

  /** Shows the list of a search; the present one where that is the same and didn't fail. */
  show(parameters: Parameters | undefined): void {
    const key = parameters ? JSON.stringify(parameters) : ''
    if (key === this.#key && untrack(() => this.list?.state) !== 'failed') return
    this.#key = key
    this.list?.end()
    this.list = parameters && new FileList(parameters)
    void this.list?.load()
  }
}

export const currentList = new CurrentList()
