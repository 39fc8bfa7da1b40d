import { lockExclusively } from '../disk/exclusive-lock.ts'
import { writeWhole } from '../disk/whole-file.ts'
import { readKeys } from './embedded.ts'
import { KeyReplaced, type KeyStore, type SecretName } from './port.ts'

/** How long a process may still use replaced values. Each use checks whether the file was replaced, so it takes only milliseconds. */
const KNOWN_MS = 1_000

/** A key in the file of secrets. Running processes use a new value from their next use of the key. */
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
