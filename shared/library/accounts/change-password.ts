import type { UserActor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, Invalid } from '../errors.ts'
import type { Writing } from '../library.ts'
import { inTurn } from './hashing-turns.ts'
import { codesEnd } from './password-resets.ts'
import { signsOnElsewhere } from './password-sign-in.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { sessionGoesOn } from './sessions.ts'
import { userOfPassword } from './sign-in.ts'
import { findUser, foldUsername, isByProvider, type UserRecord, userChange } from './users.ts'

/**
 * Changes one's own password. All tokens, codes and other sessions end. Wrong current passwords count with failures of sign-in.
 * @param session the secret of the session that goes on, where the request is of one
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
  if (known && isByProvider(known)) throw signsOnElsewhere()
  const user = await userOfPassword(library, { username, password: passwords.current }, address)
  if (!user || user.userId !== userId) throw new Forbidden('The current password is another one.', 'wrong_password')
  const passwordHash = await inTurn(address, () => hashPassword(passwords.new))
  await retryOnConflict(async () => {
    const now = await findUser(library, userId)
    // Somebody chose another one meanwhile: then this request knew the wrong one.
    if (!now || now.passwordHash !== user.passwordHash) throw new Forbidden('The current password is another one.', 'wrong_password')
    const tokenEpoch = now.tokenEpoch + 1
    await library.table.transact({
      user: userChange(library, now, { passwordHash, tokenEpoch }),
      ...(session !== undefined && { session: sessionGoesOn(session, tokenEpoch) }),
      ...(await codesEnd(library, userId)),
    })
  })
}

const weak = (message: string) => new Invalid({ path: 'new', message }, 'weak_password')
