import { api, dataOf, Refused, session as requests, type Schemas } from './api/client.ts'
import { addressOf, router } from './router.svelte.ts'
import { forgetUploads } from './uploads/forget.ts'

export type User = Schemas['Session']

/** Who is signed in. */
class Session {
  /** null: nobody; undefined: not known yet. */
  user = $state.raw<User | null>()
  /** Tells the browser's other tabs who is signed in. */
  readonly #tabs = new BroadcastChannel('console.session')

  constructor() {
    requests.onEnd = () => this.#clear()
    // What a tab shows of somebody who has signed out, or of somebody else, goes with its memory.
    this.#tabs.onmessage = ({ data: id }: MessageEvent<number | null>) => {
      if (this.user && this.user.user_id !== id) location.replace(addressOf(id === null ? 'sign-in' : ''))
    }
  }

  /** Reads the browser's session. */
  async read(): Promise<void> {
    try {
      this.#begin(await dataOf(api.GET('/session')))
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error
      this.#clear()
    }
  }

  /** @throws Refused */
  async signIn(username: string, password: string): Promise<void> {
    const user = await dataOf(api.POST('/session', { body: { username, password } }))
    if ('csrf' in user) {
      this.#begin(user)
      this.#tabs.postMessage(user.user_id)
    }
    router.go(this.wantedPage, { replace: true })
  }

  /** Address of the page that was asked for before the sign-in page. */
  get wantedPage(): string {
    const wanted = router.parameters.get('to') ?? ''
    return wanted.startsWith('/console/') ? wanted : addressOf('')
  }

  /** The page is loaded anew: nothing of the library stays in its memory, nor in the browser. */
  async signOut(): Promise<void> {
    await dataOf(api.DELETE('/session')).catch(() => undefined)
    this.#tabs.postMessage(null)
    await forgetUploads()
    this.user = null
    location.replace(addressOf('sign-in'))
  }

  #begin(user: User): void {
    requests.csrf = user.csrf
    this.user = user
  }

  #clear(): void {
    this.user = null
    requests.csrf = ''
    const { address, route } = router
    if (route.page !== 'sign-in') router.go(addressOf('sign-in', { to: address === addressOf('') ? '' : address }), { replace: true })
  }
}

export const session = new Session()
