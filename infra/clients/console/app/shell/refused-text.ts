import type { Texts } from '../language/language.svelte.ts'

/** Why somebody can't sign in, by the code of the refusal. */
export function refusedText(text: Texts, code: string): string {
  const known = new Map([
    ['password_sign_in_off', text.passwordSignInOff],
    ['sign_on_expired', text.signOnExpired],
    ['sign_on_refused', text.signOnRefused],
    ['unknown_person', text.unknownPerson],
    ['user_disabled', text.userDisabled],
    ['email_not_verified', text.emailNotVerified],
    ['domain_not_allowed', text.domainNotAllowed],
    ['email_taken', text.emailTaken],
    ['email_ambiguous', text.emailAmbiguous],
    ['account_of_others', text.accountOfOthers],
    ['username_taken', text.usernameTaken],
    ['username_missing', text.usernameMissing],
    ['provider_failed', text.providerFailed],
    ['provider_timed_out', text.providerFailed],
  ])
  return known.get(code) ?? text.signInFailed
}
