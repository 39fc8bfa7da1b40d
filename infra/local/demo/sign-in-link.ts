import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { cookieText, sessionCookie } from '../../../shared/http/protocol/cookies.ts'
import { beginSession } from '../../../shared/library/accounts/sessions.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import type { UserId } from '../../../shared/vocabulary/ids.ts'
import { CONSOLE_PATH } from '../../clients/console/paths.ts'
import type { RequestListener } from '../http/http-server.ts'

/** How long the link signs in after the start, in milliseconds. */
const GOOD_MS = 15 * 60_000

/**
 * A link that signs the demo's admin in, once and for a quarter of an hour after the start. It is told at a terminal alone, and must be asked for by this
 * machine alone (this-machine.ts): whoever reads the terminal may read `demo.json` as well.
 */
export class SignInLink {
  /** Path of the link; it holds a secret, which nothing keeps. */
  readonly path = `/-/sign-in/${randomBytes(32).toString('base64url')}`
  readonly #library: { table: Table; clock: Clock }
  readonly #userId: UserId
  readonly #ends: number
  #isUsed = false

  constructor(library: { table: Table; clock: Clock }, userId: UserId) {
    this.#library = library
    this.#userId = userId
    this.#ends = library.clock.now() + GOOD_MS
  }

  /** Whether a request is for this link. */
  isAsked(method: string | undefined, path: string): boolean {
    return method === 'GET' && timingSafeEqual(hash('sha256', path, 'buffer'), hash('sha256', this.path, 'buffer'))
  }

  /** Leads to the console: with a session where the link is good, and else as any visitor. */
  readonly listener: RequestListener = async (_request, response) => {
    const secret = await this.#signIn()
    response.writeHead(303, {
      Location: `${CONSOLE_PATH}/`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      ...(secret !== undefined && { 'Set-Cookie': cookieText(sessionCookie(secret), false) }),
    })
    response.end()
  }

  /** @returns the session's secret; undefined where the link was used, its time is over, or the user is no more */
  async #signIn(): Promise<string | undefined> {
    if (this.#isUsed || this.#library.clock.now() >= this.#ends) return undefined
    this.#isUsed = true
    const user = await findUser(this.#library, this.#userId)
    return user && !user.disabled ? (await beginSession(this.#library, user)).secret : undefined
  }
}
