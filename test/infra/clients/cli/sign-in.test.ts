import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { commandLine } from '../../../support/command-line.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'

describe('the sign-in of the command line', async () => {
  const { service, person } = await serviceWithAccounts()
  const anna = await person()
  const { run, home } = await commandLine()
  await anna.client['create-folder']({ body: { name: 'Signed in' } })

  test('keeps the token in a file of the user alone, and not the password', async () => {
    const signedIn = await run(['login', service.baseUrl, '--username', anna.username, '--password-stdin'], { input: `${anna.password}\n` })
    assert.equal(signedIn.code, 0, signedIn.stderr)
    const file = join(home, '.config/media-library/default.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const saved = await readFile(file, 'utf8')
    assert.ok(!saved.includes(anna.password))
    assert.deepEqual(Object.keys(JSON.parse(saved)).sort(), ['token', 'url', 'username'])
    const { token } = JSON.parse(saved)
    const uploaded = await run(['upload', 'package.json', '--to', 'Signed in'])
    assert.deepEqual([uploaded.code, uploaded.last], [0, 'uploaded 1, already there 0, failed 0'])
    const written = await readdir(home, { recursive: true, withFileTypes: true })
    const holding: string[] = []
    for (const entry of written.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      if ((await readFile(path, 'utf8')).includes(token)) holding.push(path)
    }
    assert.deepEqual(holding, [file])
    for (const said of [signedIn, uploaded]) assert.ok(!`${said.stdout}${said.stderr}`.includes(token))
    const { json, code } = await run(['whoami', '--json'])
    assert.deepEqual([code, json.length, json[0]!.username], [0, 1, anna.username])
  })

  test('has profiles, and the environment wins', async () => {
    const bert = await person()
    const { baseUrl: url } = service
    const environment = { MEDIA_LIBRARY_PASSWORD: bert.password, MEDIA_LIBRARY_USERNAME: bert.username }
    assert.equal((await run(['--profile', 'bert', 'login', url], environment)).code, 0)
    assert.match((await run(['whoami', '--profile', 'bert'])).stdout, new RegExp(bert.username))
    assert.match((await run(['whoami'])).stdout, new RegExp(anna.username))
    const token = bert.authorization.replace(/^.*Token=/, '')
    assert.match((await run(['whoami'], { MEDIA_LIBRARY_URL: url, MEDIA_LIBRARY_TOKEN: token })).stdout, new RegExp(bert.username))
  })

  test('ends the token', async () => {
    const { token } = JSON.parse(await readFile(join(home, '.config/media-library/default.json'), 'utf8'))
    assert.equal((await run(['logout'])).code, 0)
    const signedOut = await run(['whoami'])
    assert.deepEqual([signedOut.code, signedOut.stdout], [7, ''])
    assert.match(signedOut.stderr, /media-library login/)
    assert.equal((await run(['whoami'], { MEDIA_LIBRARY_URL: service.baseUrl, MEDIA_LIBRARY_TOKEN: token })).code, 7)
  })
})
