import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'
import type { Secrets, SecretValues } from './port.ts'

/**
 * Reads the deployment's secrets from a file that only its owner may read (mode 0600), and makes it, with fresh secrets, when there
 * is none yet. Of several processes that do so at once one wins and all read the same.
 *
 * @throws Error when the file is damaged: it is never replaced, because what it encrypted would be lost
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
    // What is inside is secret: no part of it may reach a message.
    return undefined
  }
}

/** Written under another name first, then linked: `link` refuses to replace, so the first process wins with a whole file. */
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

/** A power cut must not take the file's name back once something was encrypted with it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
