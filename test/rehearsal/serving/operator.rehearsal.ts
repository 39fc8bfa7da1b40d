import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'vitest'
import { runJson } from '../../infra/admin/run-command.ts'
import { startService } from '../../support/service.ts'

describe('the operator of a deployed stack', () => {
  test('makes a company, an admin and a key on the command line, with which a client signs in', async () => {
    const service = await startService()
    const run = (...args: (string | number)[]) => runJson('', [...args.map(String), '--stack', service.stack!])
    const [username, password] = [`operator-${randomUUID()}`, randomUUID()]
    const { company_id } = await run('company', 'create', '--name', 'Made by hand')
    const { user_id } = await run(
      ...['user', 'create', '--company', company_id, '--username', username],
      ...['--fullname', 'An Admin', '--password', password, '--admin'],
    )
    const { key, secret } = await run('key', 'create', '--company', company_id)
    const authorization = await service.signIn({ username, password, api_key: key, api_secret: secret })
    const client = await service.client(authorization)
    const { body: folder } = await client['create-folder']({ body: { name: 'First' } })
    assert.equal(folder.company_id, company_id)
    // The last admin of a company can't be disabled.
    await run(
      ...['user', 'create', '--company', company_id, '--username', `successor-${randomUUID()}`],
      ...['--fullname', 'A Successor', '--password', randomUUID(), '--admin'],
    )
    await run('user', 'disable', '--username', username)
    assert.equal((await service.request('/folder', { headers: { authorization } })).status, 401, `user ${user_id} is disabled`)
  })
})
