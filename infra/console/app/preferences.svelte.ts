/** What people choose for themselves on this device. Nothing of the library is kept here. */
export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

export const views = ['grid', 'list'] as const
export type View = (typeof views)[number]

/** Of the side with the folders, in pixels. */
export const sideWidths = { least: 200, usual: 268, most: 520 } as const

class Preferences {
  #theme = $state(kept('theme', themes) ?? 'system')
  #view = $state(kept('view', views) ?? 'grid')
  #sideWidth = $state(keptNumber('side-width', sideWidths.least, sideWidths.most) ?? sideWidths.usual)
  #administration = $state(kept('administration', ['open', 'closed']) ?? 'closed')

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

  get sideWidth(): number {
    return this.#sideWidth
  }

  set sideWidth(width: number) {
    this.#sideWidth = Math.round(Math.max(sideWidths.least, Math.min(width, sideWidths.most)))
    keep('side-width', String(this.#sideWidth))
  }

  get isAdministrationOpen(): boolean {
    return this.#administration === 'open'
  }

  set isAdministrationOpen(isOpen: boolean) {
    this.#administration = isOpen ? 'open' : 'closed'
    keep('administration', this.#administration)
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

/** A kept number, where there is one between these. */
function keptNumber(name: string, least: number, most: number): number | undefined {
  try {
    const value = Number(localStorage.getItem(`console.${name}`) ?? Number.NaN)
    return value >= least && value <= most ? value : undefined
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
