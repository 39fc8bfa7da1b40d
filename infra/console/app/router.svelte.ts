/** Where the console is below the API's address. */
const BASE = '/console'

const pages = ['trash', 'links', 'shares', 'people', 'groups', 'keys', 'usage', 'activity', 'brand', 'sign-in'] as const

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

/** The address of the page, and the ways to others. */
class Router {
  #path = $state(location.pathname)
  #query = $state(location.search)
  /** Address of the list over which a file is shown. */
  #below = $state<string | undefined>(listIn(history.state))
  /** Whether the file was opened from its list, which the browser's history then has before it. */
  #isOpenedHere = false

  constructor() {
    addEventListener('popstate', () => this.#read())
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
    if (replace) history.replaceState(null, '', address)
    else if (address !== this.address) history.pushState(null, '', address)
    this.#read()
  }

  /** Shows a file over the list. Going from one file to the next adds nothing to the history. */
  openFile(id: number): void {
    const list = this.list.address
    const address = addressOf(`file/${id}`)
    if (this.route.page === 'file') history.replaceState({ list }, '', address)
    else {
      history.pushState({ list }, '', address)
      this.#isOpenedHere = true
    }
    this.#read()
  }

  closeFile(): void {
    if (this.#isOpenedHere) history.back()
    else this.go(this.list.address, { replace: true })
    this.#isOpenedHere = false
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

function listIn(state: unknown): string | undefined {
  const { list } = (state ?? {}) as { list?: unknown }
  return typeof list === 'string' && list.startsWith(`${BASE}/`) ? list : undefined
}

export const router = new Router()
