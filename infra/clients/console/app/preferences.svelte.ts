/** What people choose for themselves on this device. Nothing of the library is kept here. */
export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

export const views = ['grid', 'list'] as const
export type View = (typeof views)[number]

/** Of the side with the folders, in pixels. */
export const sideWidths = { least: 200, usual: 268, most: 520 } as const

/** Columns of a list, in their order. The name is always there. */
export const columns = ['name', 'size', 'kind', 'taken', 'uploaded', 'byline', 'folder', 'expires'] as const
export type Column = (typeof columns)[number]

/** Sizes of pictures in percent of what suits the window. */
export const pictureSizes = { min: 50, max: 200, step: 10 }

class Preferences {
  #theme = $state(kept('theme', themes) ?? 'system')
  #view = $state(kept('view', views) ?? 'grid')
  #sideWidth = $state(keptNumber('side-width', sideWidths.least, sideWidths.most) ?? sideWidths.usual)
  #administration = $state(kept('administration', ['open', 'closed']) ?? 'closed')
  #columns = $state.raw(keptColumns())
  #pictureSize = $state(keptNumber('picture-size', pictureSizes.min, pictureSizes.max) ?? 100)
  #hasNames = $state(kept('names', ['shown'] as const) === 'shown')
  #filters = $state(kept('filters', ['open', 'closed']) ?? 'open')

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

  /** Columns that are shown of a list. */
  get columns(): readonly Column[] {
    return this.#columns
  }

  set columns(chosen: readonly Column[]) {
    this.#columns = columns.filter((column) => column === 'name' || chosen.includes(column))
    keep('columns', this.#columns.join())
  }

  /** In percent of what suits the window. */
  get pictureSize(): number {
    return this.#pictureSize
  }

  set pictureSize(percent: number) {
    this.#pictureSize = percent
    keep('picture-size', String(percent))
  }

  /** Whether names stand below pictures. */
  get hasNames(): boolean {
    return this.#hasNames
  }

  set hasNames(hasNames: boolean) {
    this.#hasNames = hasNames
    keep('names', hasNames ? 'shown' : 'hidden')
  }

  /** Filters beside the list, where there is room. */
  get areFiltersOpen(): boolean {
    return this.#filters === 'open'
  }

  set areFiltersOpen(isOpen: boolean) {
    this.#filters = isOpen ? 'open' : 'closed'
    keep('filters', this.#filters)
  }

  #show(): void {
    document.documentElement.dataset.theme = this.#theme
  }
}

/** A kept choice, where there is one. */
export function kept<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  const value = keptText(name)
  return values.find((known) => known === value)
}

/** Storage may be turned off. */
function keptText(name: string): string | undefined {
  try {
    return localStorage.getItem(`console.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** A kept number, where there is one between these. */
function keptNumber(name: string, least: number, most: number): number | undefined {
  const value = Number(keptText(name) ?? Number.NaN)
  return value >= least && value <= most ? value : undefined
}

function keptColumns(): readonly Column[] {
  const names = keptText('columns')?.split(',')
  return names ? columns.filter((column) => column === 'name' || names.includes(column)) : columns
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`console.${name}`, value)
  } catch {
    // The choice then holds until the page is closed.
  }
}

export const preferences = new Preferences()
