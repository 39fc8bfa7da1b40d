import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { newSigningKey, withId } from '../../../shared/backends/secrets/signing-key.ts'
import { secretsContract } from './contract.ts'

const run = promisify(execFile)

secretsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  return {
    secrets: openEmbeddedSecrets(join(folder, 'secrets.json')),
    async close() {
      rmSync(folder, { recursive: true })
    },
  }
})

describe('embedded secrets', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'))
    file = join(folder, 'data', 'secrets.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('only their owner can read them, and nothing else is left in the folder', () => {
    openEmbeddedSecrets(file)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(folder, 'data')), ['secrets.json'])
  })

  test('processes that start at once all have the same', async () => {
    const script = join(import.meta.dirname, 'secrets-process.ts')
    const reads = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, [script, file])))
    const secrets = openEmbeddedSecrets(file)
    const expected = JSON.stringify([await secrets.get('apiSecretsKey'), await secrets.get('urlSigningKey')])
    for (const { stdout } of reads) assert.equal(stdout, expected)
    assert.deepEqual(readdirSync(join(folder, 'data')), ['secrets.json'])
  })

  test('a damaged file is neither used nor replaced, and what is in it stays out of the message', () => {
    openEmbeddedSecrets(file)
    const whole = readFileSync(file, 'utf8')
    const { apiSecretsKey, urlSigningKey } = JSON.parse(whole)
    const damaged = [
      '',
      whole.slice(0, -2),
      '{}',
      JSON.stringify({ apiSecretsKey: 'c2hvcnQ=', urlSigningKey }),
      JSON.stringify({ apiSecretsKey, urlSigningKey: 'no key' }),
      JSON.stringify({ apiSecretsKey: {}, urlSigningKey }),
      JSON.stringify({ apiSecretsKey: { current: apiSecretsKey, previous: 'c2hvcnQ=' }, urlSigningKey }),
      JSON.stringify({ apiSecretsKey: { current: apiSecretsKey, since: 'today' }, urlSigningKey }),
      JSON.stringify({ apiSecretsKey, urlSigningKey: { current: urlSigningKey, next: 'no key' } }),
    ]
    for (const text of damaged) {
      writeFileSync(file, text)
      assert.throws(
        () => openEmbeddedSecrets(file),
        (error: Error) => /damaged/.test(error.message) && error.cause === undefined && !error.message.includes(apiSecretsKey),
      )
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })

  test('a key has its value alone until it is rotated, and then the value before besides', async () => {
    const secrets = openEmbeddedSecrets(file)
    const { apiSecretsKey, urlSigningKey } = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: apiSecretsKey })
    const rotated = { current: newSealingKey(), previous: apiSecretsKey, since: 1_700_000_000_000 }
    const rotatedUrlKey = { current: urlSigningKey, next: withId(newSigningKey(), 'second') }
    writeFileSync(`${file}.new`, JSON.stringify({ apiSecretsKey: rotated, urlSigningKey: rotatedUrlKey }))
    renameSync(`${file}.new`, file)
    // Who has opened the file before reads what replaces it.
    for (const each of [secrets, openEmbeddedSecrets(file)]) {
      assert.deepEqual(await each.get('apiSecretsKey'), rotated)
      assert.deepEqual(await each.get('urlSigningKey'), rotatedUrlKey)
    }
  })

  test('a file that cannot be read is not taken for a missing one', () => {
    mkdirSync(file, { recursive: true })
    assert.throws(() => openEmbeddedSecrets(file), { code: 'EISDIR' })
  })
})
