import { percentEncode } from '../../percent-encoding.ts'
import { InvalidKey, MAX_KEY_BYTES } from './port.ts'

/** @throws InvalidKey unless `key` is 1 to 1,024 bytes of well-formed Unicode without NUL */
export function checkKey(key: string): void {
  if (key === '') throw new InvalidKey('a key is at least one byte long')
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new InvalidKey(`a key is at most ${MAX_KEY_BYTES} bytes long`)
  if (!key.isWellFormed() || key.includes('\0')) throw new InvalidKey('a key is well-formed Unicode without NUL')
}

/** Path of `key` in a URL: segments percent-encoded by RFC 3986, slashes kept. */
export function keyPath(key: string): string {
  return key.split('/').map(percentEncode).join('/')
}
