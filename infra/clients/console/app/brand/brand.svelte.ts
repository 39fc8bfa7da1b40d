import { text } from '../language/language.svelte.ts'

/** How a company shows itself, as the service tells it. */
export interface Look {
  name: string | null
  /** `#rrggbb` on light pages, and on dark ones. */
  accent: string | null
  accent_dark: string | null
  /** Address of a picture. */
  logo: string | null
}

/** The brand that the page shows: its name, its logo, and its colour in all controls. */
class Brand {
  #look = $state.raw<Look>()

  get name(): string {
    return this.#look?.name ?? text.library
  }

  get logo(): string | null {
    return this.#look?.logo ?? null
  }

  /** Properties of the page's own object model: the policy allows no style that is written in it. */
  show(look: Look): void {
    this.#look = look
    const { style } = document.documentElement
    const { accent, accent_dark: dark } = look
    if (accent === null || dark === null) {
      for (const name of ['--accent', '--tint']) style.removeProperty(name)
      return
    }
    style.setProperty('--accent', `light-dark(${accent}, ${dark})`)
    style.setProperty('--tint', `light-dark(color-mix(in srgb, ${accent} 11%, #fff), color-mix(in srgb, ${dark} 14%, #17191c))`)
  }

  /** What people see before they sign in, or by a share link. @param secret of the link; where nothing can be read, all stays as it is */
  async read(secret?: string): Promise<void> {
    const query = secret === undefined ? '' : `?${new URLSearchParams({ share: secret })}`
    const { pathname } = location
    const base = pathname.slice(0, Math.max(0, pathname.lastIndexOf(secret === undefined ? '/console' : '/s/')))
    const answer = await fetch(`${base}/brand${query}`).catch(() => undefined)
    if (!answer?.ok) return
    const { own, ...look }: Look & { own: boolean } = await answer.json()
    // The service's own name is said in the reader's language.
    this.show(own ? look : { ...look, name: null })
  }
}

export const brand = new Brand()
