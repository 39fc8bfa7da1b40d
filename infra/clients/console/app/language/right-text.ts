import { text } from './language.svelte.ts'

/** A right in words. */
export const rightText = (right: 'READ' | 'WRITE' | 'UPLOAD' | 'ADMIN'): string =>
  ({ READ: text.read, WRITE: text.write, UPLOAD: text.uploadRight, ADMIN: text.admin })[right]
