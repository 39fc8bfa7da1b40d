import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { inTurn } from '../accounts/hashing-turns.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { refuseAfterFailures, reserveAttempt } from '../accounts/sign-in-attempts.ts'
import { Forbidden } from '../errors.ts'
import { noteGuess, slowDownGuesses } from './guessing.ts'
import type { ShareRecord } from './share.ts'
import { proofOf } from './visit.ts'

/**
 * Checks the password of a link. Limits failures like those of sign-ins: 10 per link and source in a quarter of an hour. Where many fail, sources that
 * never knew it are answered slowly (guessing.ts).
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
