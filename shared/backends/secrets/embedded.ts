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
 * Reads the deployment's secrets from a file that only its owner may read (mode 0600), and again when the file was replaced. Makes the file with
 * fresh secrets when it is missing; of several processes that do so at once one wins, and all read its file.
 *
 * @throws Error when the file is damaged. It is never replaced, because data encrypted with it would be lost
 */
export function openEmbeddedSecrets(file: string): Secrets {
  if (!isThere(file)) makeSecrets(file)
  let known = readKeys(file)
  return {
    async get(name) {
      if (known.version !== versionOf(file)) known = readKeys(file)
      return known.keys[name]
    },
  }
}

/** @returns the keys, and what differs between files that replace each other @throws Error when the file is damaged, or with the system's code */
export function readKeys(file: string): { keys: EmbeddedKeys; version: string } {
  // Before the contents: those of a file that is replaced meanwhile are newer, and are read once more.
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
    // The error's message may contain a part of the secret, so it is not passed on.
    return undefined
  }
}

/** Differs between files that replace each other: each is written anew and renamed. */
function versionOf(file: string): string {
  const { ino, mtimeNs, size }: BigIntStats = statSync(file, { bigint: true })
  return `${ino} ${mtimeNs} ${size}`
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

/** Writes a file of another name and links it: `link` never replaces a file, so the first process wins with a whole one. */
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

/** Syncs the folder: after a power cut the file must still be there, because data may be encrypted with it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
