import { en } from './en.ts'
import type { Texts } from './language.svelte.ts'

const marked = (text: string): string => `⟦${text}⟧`

/** English in brackets: what has none on the page is not translated. */
export const pseudo = Object.fromEntries(
  Object.entries(en).map(([key, value]) => [
    key,
    typeof value === 'string' ? marked(value) : (...values: never[]) => marked((value as (...values: never[]) => string)(...values)),
  ]),
) as Texts
