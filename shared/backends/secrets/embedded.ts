import { randomUUID } from 'node:crypto'
import { type BigIntStats, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'
import { keyValues } from './key-values.ts'
import { type DeploymentKeys, type KeyValues, type SecretName, type Secrets, validValues } from './port.ts'
import { newSealingKey } from './sealing-key.ts'
import { newSigningKey, readSigningKey } from './signing-key.ts'

/** The keys in a file of secrets. */
export type EmbeddedKeys = Record<SecretName, KeyValues>

/**
 * Reads the deployment's secrets from a file that only its owner may read (mode 0600), and again after the file was replaced. Creates a
 * missing file with fresh secrets; of concurrent processes one wins, and all read its file.
 *
 * @throws Error if the file is damaged. It is never replaced, because data encrypted with it would be lost
 */
export function openEmbeddedSecrets(file: string): Secrets {
  if (!exists(file)) makeSecrets(file)
  let known = readKeys(file)
  return {
    async get(name) {
      if (known.version !== versionOf(file)) known = readKeys(file)
      return known.keys[name]
    },
  }
}

/** @returns the keys, and the version of the file @throws Error if the file is damaged, or with the system's code */
export function readKeys(file: string): { keys: EmbeddedKeys; version: string } {
  // Read before the contents: if the file is replaced in between, its contents are read again at the next use.
  const version = versionOf(file)
  const keys = parseKeys(readFileSync(file, 'utf8'))
  if (!keys) throw new Error(`The secrets in ${file} are damaged; restore the file from a backup of the data folder`)
  return { keys, version }
}

function parseKeys(text: string): EmbeddedKeys | undefined {
  try {
    const stored: Record<SecretName, unknown> = JSON.parse(text)
    const [apiSecretsKey, urlSigningKey] = [keyValues(stored.apiSecretsKey), keyValues(stored.urlSigningKey)]
    if (!apiSecretsKey || !urlSigningKey) return undefined
    for (const value of validValues(urlSigningKey)) readSigningKey(value, 'first')
    const isWhole = validValues(apiSecretsKey).every((value) => Buffer.from(value, 'base64').length === 32)
    return isWhole ? { apiSecretsKey, urlSigningKey } : undefined
  } catch {
    // The error is dropped because its message may contain a part of the secret.
    return undefined
  }
}

/** Changes whenever the file is replaced: each version is a new file that is renamed. */
function versionOf(file: string): string {
  const { ino, mtimeNs, size }: BigIntStats = statSync(file, { bigint: true })
  return `${ino} ${mtimeNs} ${size}`
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

/** Writes a temporary file and links it: `link` never replaces a file, so the first process wins with a complete one. */
function makeSecrets(file: string): void {
  makeFolder(dirname(file))
  const temporary = `${file}.${randomUUID()}.part`
  try {
    writeFileSync(temporary, JSON.stringify(freshKeys()), { flag: 'wx', mode: 0o600, flush: true })
    linkSync(temporary, file)
    syncFolder(dirname(file))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function freshKeys(): DeploymentKeys {
  return { apiSecretsKey: newSealingKey(), urlSigningKey: newSigningKey() }
}

/** Syncs the folder, so that the file survives a power cut: data may be encrypted with it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
