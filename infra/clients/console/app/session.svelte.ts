import { MediaLibraryError } from '../../client/media-library-error.ts'
import { api, dataOf, session as requests, type Schemas } from './api/client.ts'
import { addressOf, router } from './router.svelte.ts'
import { forgetSearches, keepSearchesOf } from './shell/recent-searches.ts'
import { forgetUploads } from './uploads/forget.ts'

export type User = Schemas['Session']

/** Who is signed in. */
class Session {
  /** null: nobody; undefined: not known yet. */
  user = $state.raw<User | null>()
  /** Whether the user is asked to sign in again, over the page that they are at. */
  isAsking = $state(false)
  /** Whether nothing can be asked for until then. */
  isOver = false
  #asked: PromiseWithResolvers<boolean> | undefined
  /** Tells the browser's other tabs who is signed in. */
  readonly #tabs = new BroadcastChannel('console.session')

  constructor() {
    requests.onEnd = () => this.#ask()
    // What a tab shows of somebody who has signed out, or of somebody else, goes with its memory.
    this.#tabs.onmessage = ({ data: id }: MessageEvent<number | null>) => {
      if (this.user?.user_id !== id) forgetSearches()
      if (this.user && this.user.user_id !== id) {
        router.releaseGuards()
        location.replace(addressOf(id === null ? 'sign-in' : ''))
      } else if (this.isAsking) void this.lookAgain()
    }
  }

  /** Reads the browser's session. */
  async read(): Promise<void> {
    try {
      this.#begin(await dataOf(api.GET('/session')))
    } catch (error) {
      if (!(error instanceof MediaLibraryError) || error.status !== 401) throw error
      this.#clear()
    }
  }

  /** @throws MediaLibraryError */
  async signIn(username: string, password: string): Promise<void> {
    const user = await dataOf(api.POST('/session', { body: { username, password } }))
    if ('csrf' in user) {
      this.#begin(user)
      this.#tabs.postMessage(user.user_id)
    }
    router.go(this.wantedPage, { replace: true })
  }

  /** Begins another session of the same user, in which what waits goes on. @throws MediaLibraryError */
  async signInAgain(password: string): Promise<void> {
    const { username } = this.user!
    const user = await dataOf(api.POST('/session', { body: { username, password } }))
    if (!('csrf' in user)) return
    this.#goOn(user)
    this.#tabs.postMessage(user.user_id)
  }

  /** Goes on where the user has signed in elsewhere, as at a provider or in another tab. */
  async lookAgain(): Promise<void> {
    const user = await dataOf(api.GET('/session')).catch(() => undefined)
    if (user && this.isAsking) this.#goOn(user)
  }

  /** Lets what waits fail. The next request asks again. */
  giveUp(): void {
    this.isAsking = false
    this.#asked?.resolve(false)
    this.#asked = undefined
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
    router.releaseGuards()
    forgetSearches()
    this.user = null
    location.replace(addressOf('sign-in'))
  }

  /** All that waits is asked about once. @returns whether there is another session */
  async #ask(): Promise<boolean> {
    if (!this.user) {
      this.#clear()
      return false
    }
    this.#asked ??= Promise.withResolvers<boolean>()
    this.isAsking = true
    this.isOver = true
    return this.#asked.promise
  }

  /** Nobody else takes over what the user left: the page is loaded anew for them. */
  #goOn(user: User): void {
    if (user.user_id !== this.user?.user_id) {
      router.releaseGuards()
      location.reload()
      return
    }
    this.#begin(user)
    this.isAsking = false
    this.#asked?.resolve(true)
    this.#asked = undefined
  }

  #begin(user: User): void {
    requests.csrf = user.csrf
    this.user = user
    this.isOver = false
    keepSearchesOf(user.user_id)
  }

  #clear(): void {
    this.user = null
    requests.csrf = ''
    const { address, route } = router
    if (route.page !== 'sign-in') router.go(addressOf('sign-in', { to: address === addressOf('') ? '' : address }), { replace: true })
  }
}

export const session = new Session()
