import { lockExclusively } from '../disk/exclusive-lock.ts'
import { writeWhole } from '../disk/whole-file.ts'
import { readKeys } from './embedded.ts'
import { KeyReplaced, type KeyStore, type SecretName } from './port.ts'

/** Each use reads the file again where it was replaced: what a process has read it uses within milliseconds. */
const KNOWN_MS = 1_000

/** A key in the file of secrets. Processes that run take a new value with their next use of the key. */
export function embeddedKeyStore(file: string, name: SecretName): KeyStore {
  return {
    knownMs: KNOWN_MS,
    async read() {
      const { keys, version } = readKeys(file)
      return { values: keys[name], version }
    },
    async replace(read, values) {
      const unlock = lockExclusively(`${file}.lock`)
      if (!unlock) throw new KeyReplaced()
      try {
        const { keys, version } = readKeys(file)
        if (version !== read.version) throw new KeyReplaced()
        await writeWhole(file, JSON.stringify({ ...keys, [name]: values }))
        return { values, version: readKeys(file).version }
      } finally {
        unlock()
      }
    },
  }
}
