import { text } from '../language/language.svelte.ts'
import type { FoundFile } from './calls.ts'
import { expiryText } from './expiry.ts'

/** What a file is called. */
export const nameOf = (file: FoundFile | undefined): string => file?.title || file?.filename || text.loading

/** What screen readers call a tile: the file's name, and where it ends soon, that. */
export const tileName = (file: FoundFile | undefined): string =>
  [nameOf(file), expiryText(file?.expiration_date)].filter(Boolean).join(', ')
