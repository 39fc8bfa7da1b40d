import { text } from '../language/language.svelte.ts'
import { notices } from './notices.svelte.ts'

/** Puts a text on the clipboard. */
export async function copyText(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value)
    notices.tell(text.copiedText)
  } catch (error) {
    notices.fail(error)
  }
}
