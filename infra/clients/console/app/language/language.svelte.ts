import { keep, kept } from '../preferences.svelte.ts'
import { en } from './en.ts'
import { regionalLocale } from './regional-locale.ts'

/** The console's texts: plain ones, and functions of what they name. */
export type Texts = typeof en

export const languages = ['en', 'da', 'de', 'pseudo'] as const
export type LanguageCode = (typeof languages)[number]

/** Other languages are loaded when they are chosen. English stands in the page. */
const load: Record<Exclude<LanguageCode, 'en'>, () => Promise<Texts>> = {
  da: async () => (await import('./da.ts')).da,
  de: async () => (await import('./de.ts')).de,
  // Shows what is not translated. Chosen by tests alone.
  pseudo: async () => (await import('./pseudo.ts')).pseudo,
}

class Language {
  #code = $state<LanguageCode>('en')
  #texts = $state.raw(en)

  get code(): LanguageCode {
    return this.#code
  }

  /** For numbers and names. */
  get locale(): string {
    return this.#code === 'pseudo' ? 'en' : this.#code
  }

  /** For dates and times: in words of this language, and in the form of the reader's region. */
  get regional(): string {
    return regionalLocale(this.locale, navigator.language)
  }

  get texts(): Texts {
    return this.#texts
  }

  /** Begins with the language that was chosen before, else the browser's. */
  async load(): Promise<void> {
    await this.#use(kept('language', languages) ?? ofBrowser())
  }

  async choose(code: LanguageCode): Promise<void> {
    await this.#use(code)
    keep('language', code)
  }

  async #use(code: LanguageCode): Promise<void> {
    this.#texts = code === 'en' ? en : await load[code]()
    this.#code = code
    document.documentElement.lang = this.locale
  }
}

function ofBrowser(): LanguageCode {
  const codes = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return (['en', 'da', 'de'] as const).find((code) => code === codes.find((each) => /^(en|da|de)$/.test(each))) ?? 'en'
}

export const language = new Language()

/** The texts in the language that is chosen. */
export const text: Texts = new Proxy({} as Texts, { get: (_, key: keyof Texts & string) => language.texts[key] })
