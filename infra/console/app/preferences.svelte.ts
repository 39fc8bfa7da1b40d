/** What people choose for themselves on this device. Nothing of the library is kept here. */
export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

export const views = ['grid', 'list'] as const
export type View = (typeof views)[number]

class Preferences {
  #theme = $state(kept('theme', themes) ?? 'system')
  #view = $state(kept('view', views) ?? 'grid')

  constructor() {
    this.#show()
  }

  get theme(): Theme {
    return this.#theme
  }

  set theme(theme: Theme) {
    this.#theme = theme
    keep('theme', theme)
    this.#show()
  }

  get view(): View {
    return this.#view
  }

  set view(view: View) {
    this.#view = view
    keep('view', view)
  }

  #show(): void {
    document.documentElement.dataset.theme = this.#theme
  }
}

/** A kept choice, where there is one. Storage may be turned off. */
export function kept<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  try {
    const value = localStorage.getItem(`console.${name}`)
    return values.find((known) => known === value)
  } catch {
    return undefined
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`console.${name}`, value)
  } catch {
    // The choice then holds until the page is closed.
  }
}

export const preferences = new Preferences()
