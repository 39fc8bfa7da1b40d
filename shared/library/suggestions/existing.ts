import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import { pagesOfFiles } from '../media/change-feed.ts'
import type { AvailableMedia } from '../media/media.ts'
import { askForSuggestions, isWaiting, suggestionSource } from '../media/suggestions.ts'

/** Numbers of a company's pictures: those that wait for suggestions, and those that already have them. */
export interface Asked {
  queued: number
  done: number
}

/** Files in parallel. */
const PARALLELISM = 10

/**
 * Asks for suggestions for all pictures of a company that never got any. Can be repeated after an interruption.
 * @param report receives the counts so far after each page
 * @throws Conflict if others keep changing a file
 */
export async function askForExisting(library: Writing, companyId: CompanyId, report: (asked: Readonly<Asked>) => void): Promise<Asked> {
  const asked: Asked = { queued: 0, done: 0 }
  const seen = new Set<MediaId>()
  for await (const page of pagesOfFiles(library, companyId)) {
    const pictures = page.filter((media) => suggestionSource(media) !== undefined && !seen.has(media.mediaId))
    for (let at = 0; at < pictures.length; at += PARALLELISM) {
      const states = await Promise.all(pictures.slice(at, at + PARALLELISM).map((media) => askFor(library, media)))
      for (const state of states) asked[state] += 1
    }
    for (const { mediaId } of pictures) seen.add(mediaId)
    report(asked)
  }
  return asked
}

async function askFor(library: Writing, media: AvailableMedia): Promise<keyof Asked> {
  if (media.suggestedAt !== undefined) return 'done'
  if (!isWaiting(media)) await askForSuggestions(library, media.mediaId)
  return 'queued'
}
