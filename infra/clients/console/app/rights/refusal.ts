import { text } from '../language/language.svelte.ts'
import { rightText } from '../language/right-text.ts'
import type { Right } from '../sharing/calls.ts'
import { folderRights } from './folder-rights.svelte.ts'

/** Folders that a refusal names. */
const MOST_NAMED = 3

/** Which right is missing, and where. @param folders any of which would do; none where they are not known */
export function missing(right: Right, folders: readonly number[]): Error {
  const places = folders.flatMap((id) => folderRights.nameOf(id) ?? []).slice(0, MOST_NAMED)
  return new Error(text.youNeed(rightText(right), places.join(', ') || text.thisFile))
}
