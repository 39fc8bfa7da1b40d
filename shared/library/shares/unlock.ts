import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { inTurn } from '../accounts/hashing-turns.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { refuseAfterFailures, reserveAttempt } from '../accounts/sign-in-attempts.ts'
import { Forbidden } from '../errors.ts'
import { type ShareRecord, shareKey, sourceOf } from './share.ts'
import { proofOf } from './visit.ts'

/**
 * Checks the password of a link. Limits failures like those of sign-ins: 10 per link and source in a quarter of an hour. Where many fail, sources that
 * never knew it are answered slowly (`slowDownGuesses`).
 * @returns the proof for the visitor's cookie
 * @throws Forbidden `wrong_password`, TooManyAttempts, Busy
 */
export async function unlock(
  library: { table: Table; clock: Clock },
  share: ShareRecord,
  { secret, password, address }: { secret: string; password: string; address: string },
): Promise<string> {
  if (share.passwordHash === undefined) return proofOf(share, secret)
  // Usernames never contain control characters.
  const attempt = { username: `\u0000share ${share.shareId}`, address }
  await refuseAfterFailures(library, attempt)
  await slowDownGuesses(library, share.shareId, address)
  const isRight = await inTurn(address, async () => {
    const reservation = await reserveAttempt(library, attempt)
    let matches = false
    try {
      matches = await verifyPassword(password, share.passwordHash)
    } finally {
      await reservation.report(matches)
    }
    return matches
  })
  await noteGuess(library, share.shareId, address, isRight)
  if (!isRight) throw new Forbidden('This is not the password of the link.', 'wrong_password')
  return proofOf(share, secret)
}

/** Wrong passwords of a day after which a link is taken for one that somebody guesses at, from however many sources. */
const MANY = 100
/** How long a source waits for each answer then that never gave the right password, in milliseconds. */
const SLOW_MS = 3_000
const DAY_SECONDS = 86_400
/** How long a source is known that gave the right password, in seconds. */
const KNOWN_SECONDS = 30 * DAY_SECONDS

type Guessed = { table: Table; clock: Clock }
/** Wrong passwords of a link in one day, UTC. */
type Wrong = Key & { wrong: number }

const now = ({ clock }: Guessed): number => Math.floor(clock.now() / 1000)

const wrongKey = (library: Guessed, shareId: string): Key => ({
  pk: shareKey(shareId).pk,
  sk: `WRONG-PASSWORDS#${new Date(library.clock.now()).toISOString().slice(0, 10)}`,
})

const knownKey = (shareId: string, address: string): Key => ({ pk: shareKey(shareId).pk, sk: `KNOWN#${sourceOf(shareId, address)}` })

/** Waits where many guess at a link's password and the source never knew it. Nobody is locked out. */
export async function slowDownGuesses(library: Guessed, shareId: string, address: string): Promise<void> {
  const counted = await library.table.get<Wrong>(wrongKey(library, shareId))
  if ((counted?.wrong ?? 0) < MANY) return
  const known = await library.table.get<Key & { ttl: number }>(knownKey(shareId, address))
  if (!known || known.ttl <= now(library)) await library.clock.sleep(SLOW_MS)
}

/** Notes the outcome of a guess. */
export async function noteGuess(library: Guessed, shareId: string, address: string, isRight: boolean): Promise<void> {
  if (isRight) await library.table.put({ ...knownKey(shareId, address), ttl: now(library) + KNOWN_SECONDS })
  else await library.table.update(wrongKey(library, shareId), { add: { wrong: 1 }, set: { ttl: now(library) + 2 * DAY_SECONDS } })
}
