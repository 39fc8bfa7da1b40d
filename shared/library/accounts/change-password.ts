import type { UserActor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, Invalid } from '../errors.ts'
import type { Writing } from '../library.ts'
import { inTurn } from './hashing-turns.ts'
import { invalidateCodes } from './password-resets.ts'
import { byProvider } from './password-sign-in.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { keepSession } from './sessions.ts'
import { userOfPassword } from './sign-in.ts'
import { findUser, foldUsername, isByProvider, type UserRecord, userChange } from './users.ts'

/**
 * Changes the caller's own password. Invalidates all their tokens, codes and other sessions. A wrong current password counts as a failed
 * sign-in.
 * @param session secret of the requesting session, which stays valid
 * @throws Invalid `weak_password`, Forbidden `wrong_password`, Conflict `by_provider`, TooManyAttempts, Busy
 */
export async function changePassword(
  library: Writing & { by: UserActor },
  { userId, username }: Pick<UserRecord, 'userId' | 'username'>,
  passwords: { current: string; new: string },
  { address, session }: { address: string; session?: string | undefined },
): Promise<void> {
  const problem = passwordProblem(passwords.new)
  if (problem !== undefined) throw weak(problem)
  if (foldUsername(passwords.new) === foldUsername(username)) throw weak('must not be the username')
  const known = await findUser(library, userId)
  if (known && isByProvider(known)) throw byProvider()
  const user = await userOfPassword(library, { username, password: passwords.current }, address)
  if (!user || user.userId !== userId) throw new Forbidden('The current password is another one.', 'wrong_password')
  const passwordHash = await inTurn(address, () => hashPassword(passwords.new))
  await retryOnConflict(async () => {
    const now = await findUser(library, userId)
    // The password has changed since the check, so the given one is wrong now.
    if (!now || now.passwordHash !== user.passwordHash) throw new Forbidden('The current password is another one.', 'wrong_password')
    const tokenEpoch = now.tokenEpoch + 1
    await library.table.transact({
      user: userChange(library, now, { passwordHash, tokenEpoch }),
      ...(session !== undefined && { session: keepSession(session, tokenEpoch) }),
      ...(await invalidateCodes(library, userId)),
    })
  })
}

const weak = (message: string) => new Invalid({ path: 'new', message }, 'weak_password')
