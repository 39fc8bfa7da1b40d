import { text } from '../language/language.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import { withExpired } from './expired.ts'

/** Makes a link to files, for people without an account. */
export function shareFiles(ids: readonly number[]): void {
  withExpired(ids, text.share, () =>
    dialogs.open(() => import('../share-links/ShareByLink.svelte'), {
      title: text.shareFilesByLink(ids.length),
      shared: { media_ids: [...ids] },
    }),
  )
}

/** Asks where files are published, and shows their links. */
export function publishFiles(ids: readonly number[]): void {
  withExpired(ids, text.publish, () => dialogs.open(() => import('../links/Publish.svelte'), { ids }))
}
