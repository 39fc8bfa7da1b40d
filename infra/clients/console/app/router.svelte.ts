/** Where the console is below the API's address. */
const BASE = '/console'

const pages = ['trash', 'links', 'shares', 'people', 'groups', 'keys', 'usage', 'activity', 'brand', 'presets', 'sign-in'] as const

/** What an address of the console names. */
export type Route =
  | { page: 'all' | 'search' | (typeof pages)[number] }
  | { page: 'folder'; id: number }
  | { page: 'file'; id: number }
  | { page: 'unknown' }

/** Reads a path. @param path with `/console` before it */
export function routeOf(path: string): Route {
  const [first = '', second, ...others] = path.slice(BASE.length).split('/').filter(Boolean)
  if (others.length > 0) return { page: 'unknown' }
  if (first === '') return { page: 'all' }
  if ((first === 'folder' || first === 'file') && /^[1-9]\d{0,9}$/.test(second ?? '')) return { page: first, id: Number(second) }
  if (second !== undefined) return { page: 'unknown' }
  const page = (['search', ...pages] as const).find((known) => known === first)
  return page ? { page } : { page: 'unknown' }
}

/** An address of the console. @param parameters empty values are left out */
export function addressOf(path: string, parameters: Record<string, string | undefined> = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return `${BASE}/${path}${query && `?${query}`}`
}

/** What would lose something if the page were left. */
export interface Guard {
  isNeeded(): boolean
  /** Asks the user. @param leave to be called when nothing is lost any more */
  ask(leave: () => void): void
}

/** The address of the page, and the ways to others. */
class Router {
  #path = $state(location.pathname)
  #query = $state(location.search)
  /** Address of the list over which a file is shown. */
  #below = $state<string | undefined>(listIn(history.state))
  /** Whether the file was opened from its list, which the browser's history then has before it. */
  #isOpenedHere = false
  #guards: readonly Guard[] = []
  /** Place of the page in the browser's history, by which Back and Forward are told apart. */
  #place = placeIn(history.state)
  /** Whether the browser is on its way back to the page that it left without being let. */
  #isReturning = false

  constructor() {
    history.replaceState({ ...history.state, place: this.#place }, '')
    addEventListener('popstate', () => this.#onHistory())
    addEventListener('beforeunload', (event) => {
      if (this.#guard) event.preventDefault()
    })
    document.addEventListener('click', (event) => this.#follow(event))
  }

  get route(): Route {
    return routeOf(this.#path)
  }

  get address(): string {
    return this.#path + this.#query
  }

  get parameters(): URLSearchParams {
    return new URLSearchParams(this.#query)
  }

  /** The list that is shown: behind a file, that from which it was opened. */
  get list(): { route: Route; parameters: URLSearchParams; address: string } {
    if (this.route.page !== 'file') return { route: this.route, parameters: this.parameters, address: this.address }
    const address = this.#below ?? addressOf('')
    const [path = '', query = ''] = address.split('?')
    return { route: routeOf(path), parameters: new URLSearchParams(query), address }
  }

  go(address: string, { replace = false } = {}): void {
    this.leave(() => {
      if (replace) this.#replace(address)
      else if (address !== this.address) this.#push(address)
      this.#read()
    })
  }

  /** Shows the same page with other parameters. */
  showWith(parameters: URLSearchParams): void {
    this.go(`${location.pathname}${parameters.size > 0 ? `?${parameters}` : ''}`)
  }

  /** Shows a file over the list. Going from one file to the next adds nothing to the history. */
  openFile(id: number): void {
    this.leave(() => {
      const list = this.list.address
      const address = addressOf(`file/${id}`)
      if (this.route.page === 'file') this.#replace(address, { list })
      else {
        this.#push(address, { list })
        this.#isOpenedHere = true
      }
      this.#read()
    })
  }

  closeFile(): void {
    this.leave(() => {
      if (this.#isOpenedHere) history.back()
      else this.go(this.list.address, { replace: true })
      this.#isOpenedHere = false
    })
  }

  /** Asks before the page is left by whatever way. @returns what ends that */
  guard(guard: Guard): () => void {
    this.#guards = [...this.#guards, guard]
    return () => {
      this.#guards = this.#guards.filter((other) => other !== guard)
    }
  }

  /** Leaves what the page shows, once nothing is lost by it. */
  leave(go: () => void): void {
    if (this.#guard) this.#guard.ask(go)
    else go()
  }

  /** Lets everything go without a question, as when the session is over for good. */
  releaseGuards(): void {
    this.#guards = []
  }

  get #guard(): Guard | undefined {
    return this.#guards.findLast((guard) => guard.isNeeded())
  }

  #push(address: string, state: object = {}): void {
    history.pushState({ ...state, place: ++this.#place }, '', address)
  }

  #replace(address: string, state: object = {}): void {
    history.replaceState({ ...state, place: this.#place }, '', address)
  }

  /** The browser has gone to another address by itself, and goes back where that isn't let. */
  #onHistory(): void {
    const place = placeIn(history.state)
    const steps = place - this.#place
    if (this.#isReturning) this.#isReturning = false
    else if (this.#guard && steps !== 0) {
      this.#isReturning = true
      history.go(-steps)
      this.#guard.ask(() => history.go(steps))
    } else {
      this.#place = place
      this.#read()
    }
  }

  #read(): void {
    this.#path = location.pathname
    this.#query = location.search
    this.#below = listIn(history.state)
    if (this.route.page !== 'file') this.#isOpenedHere = false
  }

  /** Links within the console don't load the page anew. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!link.pathname.startsWith(`${BASE}/`)) return
    event.preventDefault()
    this.go(link.pathname + link.search)
  }
}

function placeIn(state: unknown): number {
  const { place } = (state ?? {}) as { place?: unknown }
  return typeof place === 'number' ? place : 0
}

function listIn(state: unknown): string | undefined {
  const { list } = (state ?? {}) as { list?: unknown }
  return typeof list === 'string' && list.startsWith(`${BASE}/`) ? list : undefined
}

export const router = new Router()
