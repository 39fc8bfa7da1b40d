import { slicesOf } from '../api/slices.ts'
import { text } from '../language/language.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { countFiles, MOST_ASKED } from './calls.ts'
import { sentSearch } from './query.ts'

/** Requests at a time. */
const PARALLEL = 4

/** Does something with files; where some have expired after a question. @param action what is done, on the button */
export function withExpired(ids: readonly number[], action: string, go: () => unknown): void {
  countExpired(ids).then(
    (count) => {
      if (count === 0) void go()
      else
        void dialogs.open(() => import('../ui/Confirm.svelte'), {
          ...{ question: text.filesExpired(count), about: text.aboutExpired },
          ...{ action, look: 'primary' as const, onconfirm: () => void go() },
        })
    },
    (error) => notices.fail(error),
  )
}

/** How many files have had their last day, by the reader's calendar. */
async function countExpired(ids: readonly number[]): Promise<number> {
  const slices = slicesOf(ids, MOST_ASKED).values()
  let count = 0
  const work = async () => {
    for (const slice of slices) count += await countFiles(sentSearch({ unique_media_id: slice.join('+'), expired: '1' }))
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return count
}
