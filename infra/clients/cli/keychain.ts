/** The system's keychain. */
interface Keyring {
  Entry: new (
    service: string,
    user: string,
  ) => { setPassword(password: string): void; getPassword(): string | null; deletePassword(): boolean }
}

/** Optional: users install it beside the command line. */
const KEYRING = '@napi-rs/keyring'
const SERVICE = 'media-library'

/** Stores a token in the keychain. @returns false without a keychain */
export const keepToken = (profile: string, token: string): Promise<boolean> =>
  inKeychain(false, ({ Entry }) => {
    new Entry(SERVICE, profile).setPassword(token)
    return true
  })

/** @returns undefined where the keychain has none */
export const keptToken = (profile: string): Promise<string | undefined> =>
  inKeychain(undefined, ({ Entry }) => new Entry(SERVICE, profile).getPassword() ?? undefined)

export const forgetToken = (profile: string): Promise<boolean> =>
  inKeychain(false, ({ Entry }) => new Entry(SERVICE, profile).deletePassword())

/** On headless systems the package's calls fail. */
async function inKeychain<Result>(otherwise: Result, work: (keyring: Keyring) => Result): Promise<Result> {
  try {
    return work((await import(KEYRING)) as Keyring)
  } catch {
    return otherwise
  }
}
