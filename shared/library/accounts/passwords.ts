import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** OWASP's second choice of parameters: 19 MiB, 2 passes, 1 lane; about 30 ms. */
const PARAMETERS = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

/** Longest password, in UTF-8 bytes. Bounds the time of hashing. */
export const MAX_PASSWORD_BYTES = 1024

/** Shortest new password, in characters (NIST SP 800-63B). */
export const MIN_PASSWORD_LENGTH = 8

/** The problem with a new password; undefined for a valid one. */
export function passwordProblem(password: string): string | undefined {
  if ([...password.slice(0, 2 * MIN_PASSWORD_LENGTH)].length < MIN_PASSWORD_LENGTH)
    return `must be at least ${MIN_PASSWORD_LENGTH} characters`
  if (Buffer.byteLength(password.normalize('NFC')) > MAX_PASSWORD_BYTES) return `must be at most ${MAX_PASSWORD_BYTES} bytes`
  return undefined
}

/** Hashes a password with argon2id. @returns a PHC string that carries parameters and salt */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive({
    ...PARAMETERS,
    message: Buffer.from(password.normalize('NFC')),
    nonce: salt,
    tagLength: TAG_BYTES,
  })
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/**
 * Checks a password in constant time. Without a hash it does the same work and returns false, so that an unknown user takes as long as a
 * wrong password.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { memory, passes, parallelism, salt, tag } = parse(hash) ?? nobody()
  const message = Buffer.from(password.normalize('NFC'))
  if (message.length > MAX_PASSWORD_BYTES) return false
  const actual = await derive({ memory, passes, parallelism, message, nonce: salt, tagLength: tag.length })
  return timingSafeEqual(actual, tag) && hash !== undefined
}

interface Parsed {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tag: Buffer
}

/** Stands for the hash of an unknown user: no password matches it. */
const nobody = (): Parsed => ({ ...PARAMETERS, salt: randomBytes(16), tag: randomBytes(TAG_BYTES) })

// No side effects at module load, so that bundlers can drop it.
function derive(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

function parse(hash: string | undefined): Parsed | undefined {
  const match = hash?.match(/^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt, tag] = match as [string, string, string, string, string, string]
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
