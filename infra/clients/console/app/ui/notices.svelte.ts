import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { text } from '../language/language.svelte.ts'
import { rightText } from '../language/right-text.ts'

/** A message at the bottom of the page. */
export interface Notice {
  id: number
  message: string
  /** An alert interrupts, a status is told when there is time. */
  role: 'alert' | 'status'
  action?: { label: string; run(): void } | undefined
}

/** How long a message without an action stays, in milliseconds. */
const SHOWN_MS = 8_000

class Notices {
  shown = $state.raw<readonly Notice[]>([])
  #last = 0

  /** Tells of something that was done. @param action such as taking it back: then the message stays until the next one */
  tell(message: string, action?: Notice['action']): void {
    this.#add({ message, role: action ? 'alert' : 'status', action })
  }

  /** Tells of a failure. @param reason why, where the caller knows it better */
  fail(error: unknown, reason = reasonOf(error)): void {
    this.#add({ message: reason, role: 'alert' })
  }

  /** Tells how far something is. Nothing is shown before the first message, and nothing after the end. */
  progress(): { show(message: string): void; end(): void } {
    const id = ++this.#last
    return {
      show: (message) => {
        const notice: Notice = { id, message, role: 'status' }
        const isShown = this.shown.some((other) => other.id === id)
        this.shown = isShown ? this.shown.map((other) => (other.id === id ? notice : other)) : [...this.shown, notice]
      },
      end: () => this.dismiss(id),
    }
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id)
  }

  #add(notice: Omit<Notice, 'id'>): void {
    const id = ++this.#last
    const others = this.shown.filter(({ action }) => !(action && notice.action)).slice(-2)
    this.shown = [...others, { ...notice, id }]
    if (!notice.action) setTimeout(() => this.dismiss(id), SHOWN_MS)
  }
}

/** Why something failed, for people. @param places names of what it was done with, where that is known */
export function reasonOf(error: unknown, places?: string): string {
  if (!(error instanceof MediaLibraryError)) return error instanceof Error ? error.message : text.failed
  if (error.status === 0) return text.unreachable
  if (error.status === 401) return text.sessionEnded
  if (error.status === 403) return missingText(error.message, places)
  if (error.status === 404) return text.notFound
  if (error.status === 429) return text.tooMany
  return error.status >= 500 || !error.details.message ? text.failed : error.message
}

/** What somebody needs whom the service refused. @param message of the service, which names rights as the interface does */
function missingText(message: string, places?: string): string {
  const rights = (message.match(/\b(READ|WRITE|UPLOAD|ADMIN)\b/g) ?? []) as Parameters<typeof rightText>[0][]
  if (rights.length === 0) return text.forbidden
  const needed = [...new Set(rights)].map(rightText).join(' + ')
  return text.youNeed(needed, places || (/\bfile\b/.test(message) ? text.thisFile : text.thisFolder))
}

export const notices = new Notices()
