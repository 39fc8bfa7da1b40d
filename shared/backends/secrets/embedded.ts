import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'
import type { Secrets, SecretValues } from './port.ts'

/**
 * Reads the deployment's secrets from a file that only its owner may read (mode 0600). Makes the file with fresh secrets when it is missing;
 * of several processes that do so at once one wins, and all read its file.
 *
 * @throws Error when the file is damaged. It is never replaced, because data encrypted with it would be lost
 */
export function openEmbeddedSecrets(file: string): Secrets {
  const values = readSecrets(file) ?? makeSecrets(file)
  return { get: async (name) => values[name] }
}

function readSecrets(file: string): SecretValues | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const values = parseSecrets(text)
  if (!values) throw new Error(`The secrets in ${file} are damaged; restore the file from a backup of the data folder`)
  return values
}

function parseSecrets(text: string): SecretValues | undefined {
  try {
    const { apiSecretsKey, urlSigningKey } = JSON.parse(text)
    const curve = createPrivateKey(urlSigningKey).asymmetricKeyDetails?.namedCurve
    return Buffer.from(apiSecretsKey, 'base64').length === 32 && curve === 'prime256v1' ? { apiSecretsKey, urlSigningKey } : undefined
  } catch {
    // The error's message may contain a part of the secret, so it is not passed on.
    return undefined
  }
}

/** Writes a file of another name and links it: `link` never replaces a file, so the first process wins with a whole one. */
function makeSecrets(file: string): SecretValues {
  makeFolder(dirname(file))
  const temporary = `${file}.${randomUUID()}.part`
  try {
    writeFileSync(temporary, JSON.stringify(freshSecrets()), { flag: 'wx', mode: 0o600, flush: true })
    linkSync(temporary, file)
    syncFolder(dirname(file))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return readSecrets(file)!
}

function freshSecrets(): SecretValues {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    apiSecretsKey: randomBytes(32).toString('base64'),
    urlSigningKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Syncs the folder: after a power cut the file must still be there, because data may be encrypted with it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
