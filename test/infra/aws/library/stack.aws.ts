import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { openStack, outputsOf } from '../../../../infra/aws/library/stack.ts'
import { sesClient } from '../../../../shared/backends/mail/ses.ts'
import { s3Client, s3Objects } from '../../../../shared/backends/objects/s3.ts'
import { removeCompany } from '../../../../shared/library/company-removal/remove-company.ts'
import { everyObject, everyScanned } from '../../../../shared/library/pages.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { configurationSet, sentBy, verifySender } from '../../../backends/mail/sent-by-ses.ts'
import { makeLibraryStack, type TemporaryStack } from '../../../support/aws/library-stack.ts'
import { RunningClock } from '../../../support/test-clock.ts'
import { runCommand, runJson } from '../../admin/run-command.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const SENDER = 'Media library <admin@example.com>'
const NOWHERE = '/nonexistent'

describe('commands on a deployed stack', () => {
  let made: TemporaryStack
  let stack: string
  beforeAll(async () => {
    made = await makeLibraryStack({ MailSender: SENDER, MailConfigurationSet: configurationSet })
    stack = made.name
  })
  afterAll(() => made.remove())

  it('work on its table and its secret, and on no local data', async () => {
    const json = (...args: string[]) => runJson(NOWHERE, [...args, '--stack', stack])
    const { company_id } = await json('company', 'create', '--name', 'Acme')
    const company = String(company_id)
    const user = await json('user', 'create', '--company', company, '--username', 'anna', '--fullname', 'Anna', '--password', 'a password')
    const key = await json('key', 'create', '--company', company)
    assert.equal((await json('key', 'list', '--company', company))[0].key, key.key)
    const renamed = await json('user', 'rename', '--username', 'anna', '--new-username', 'berg')
    assert.deepEqual(renamed, { user_id: user.user_id, username: 'berg', fullname: 'Anna' })
    assert.equal((await json('user', 'list', '--company', company))[0].username, 'berg')
    const { folder_id } = await json('cdn', 'alias', 'add', '--company', company, '--alias', 'press')
    assert.deepEqual(await json('cdn', 'alias', 'remove', '--company', company, '--alias', 'press'), { alias: 'press', folder_id })
    await json('admin', 'grant', '--username', 'berg', '--company', company)
    const last = await runCommand(NOWHERE, ['admin', 'revoke', '--username', 'berg', '--company', company, '--stack', stack])
    assert.match(last.error, /^berg is the last admin of company \d+\./)
    assert.deepEqual(await json('check'), { clean: true, problems: [] })
  })

  it('delete a company with all that is its', async () => {
    const json = (...args: string[]) => runJson(NOWHERE, [...args, '--stack', stack])
    const { company_id } = await json('company', 'create', '--name', 'Doomed')
    const company = String(company_id)
    await json('user', 'create', '--company', company, '--username', 'gone', '--fullname', 'Gone', '--password', 'a password')
    await json('key', 'create', '--company', company)
    const library = await openStack(stack)
    const removal = await library.openCompanyRemoval()
    for (const key of [`${company}/1/original`, `search/${company}/1`])
      await removal.media.put(key, Buffer.from('text'), { contentType: 'text/plain' })
    const refused = await runCommand(NOWHERE, ['company', 'delete', '--company', company, '--stack', stack])
    assert.match(refused.error, /^Company \d+ has 0 files \(0 bytes\), 2 folders, 1 user, 1 key, .* takes --yes\.$/)
    const by = { kind: 'operator', command: 'test' } as const
    const parts = { ...library, ...removal, by, clock: new RunningClock().hasty, log: jsonLog(() => undefined) }
    await removeCompany(parts, company_id, () => undefined)
    const rest = await Array.fromAsync(everyScanned(library.scanner))
    assert.deepEqual(
      rest.filter((item) => JSON.stringify(item).includes(company)),
      [],
    )
    assert.deepEqual(await Array.fromAsync(everyObject(removal.media, '')), [])
    assert.deepEqual(await json('check'), { clean: true, problems: [] })
  })

  it('opt nobody in to keywords where the region has no Rekognition', async () => {
    vi.stubEnv('AWS_REGION', 'eu-north-1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const northern = await makeLibraryStack()
    onTestFinished(() => northern.remove())
    const command = (...args: string[]) => runCommand(NOWHERE, [...args, '--stack', northern.name, '--json'])
    const { company_id } = JSON.parse((await command('company', 'create', '--name', 'Acme')).out)
    for (const action of ['enable', 'suggest']) {
      const refused = await command('keywords', action, '--company', String(company_id))
      assert.deepEqual([refused.code, refused.error], [1, "Keywords can't be suggested in eu-north-1, which has no Rekognition."])
    }
    assert.equal((await command('keywords', 'disable', '--company', String(company_id))).code, 0)
  })

  it('send a test e-mail by SES', async () => {
    const ses = sesClient()
    await verifySender(ses, SENDER)
    ses.destroy()
    const to = `${randomUUID()}@example.com`
    assert.deepEqual(await runJson(NOWHERE, ['mail', 'test', to, '--stack', stack]), { sent: true })
    assert.equal((await sentBy(SENDER, to)).length, 1)
  })

  it('import items into its catalogue, with their files among its uploads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stock-import-aws-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const manifest = join(folder, 'manifest.json')
    await writeFile(join(folder, 'a.txt'), 'text')
    const described = Array.from({ length: 70 }, (_, id) => ({ id, title: { en: `Title ${id}` } }))
    await writeFile(manifest, JSON.stringify([...described, { id: 'file', file: 'a.txt' }]))
    const json = (...args: string[]) => runJson(NOWHERE, [...args, '--stack', stack])
    assert.deepEqual(await json('stock', 'import', manifest), { imported: 71, unchanged: 0 })
    assert.deepEqual(await json('stock', 'import', manifest), { imported: 0, unchanged: 71 })
    assert.deepEqual(await json('check'), { clean: true, problems: [] })
    await writeFile(manifest, JSON.stringify(described.map(({ id, title }) => ({ id: `again ${id}`, title }))))
    const both = await Promise.all([json('stock', 'import', manifest), json('stock', 'import', manifest)])
    assert.deepEqual([both[0].imported + both[1].imported, both[0].unchanged + both[1].unchanged], [70, 70])
    assert.deepEqual(await json('check'), { clean: true, problems: [] })
    const bucket = (await outputsOf(stack)).get('UploadsBucket')!
    const { objects } = await s3Objects({ bucket }).list('')
    assert.deepEqual(
      objects.map(({ key, bytes }) => [key.split('/')[1], bytes]),
      [['a.txt', 4]],
    )
  })

  it('say what to do when there is no such stack', async () => {
    const { code, out, error } = await runCommand(NOWHERE, ['company', 'list', '--json', '--stack', 'no-such-stack'])
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /^There is no stack no-such-stack in this account and region\. Check its name, AWS_REGION and the profile\.$/)
  })

  it('import a tree of another bucket, with the metadata beside its files, once', async () => {
    const bucket = `old-${randomUUID()}`
    const s3 = s3Client()
    onTestFinished(() => s3.destroy())
    await s3.send(new CreateBucketCommand({ Bucket: bucket }))
    const files = {
      'pics/a.txt': 'a',
      'pics/Deep/b.txt': 'b',
      'pics/Deep/b.txt.json': '{"metadata":{"title":{"en":"B"}}}',
      'other/c.txt': 'c',
    }
    for (const [Key, Body] of Object.entries(files)) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
    const json = (...args: string[]) => runJson(NOWHERE, [...args, '--stack', stack])
    const company = String((await json('company', 'create', '--name', 'Moved')).company_id)
    const importing = (...more: string[]) => json('import', `s3://${bucket}/pics`, '--company', company, ...more)
    assert.deepEqual((await importing('--dry-run')).imported, 2)
    const first = await importing()
    onTestFinished(() => rm(first.mapping, { force: true }))
    assert.deepEqual([first.imported, first.existing, first.refused], [2, 0, []])
    const second = await importing()
    assert.deepEqual([second.imported, second.existing], [0, 2])
    const folders = (await json('folder', 'list', '--company', company)).map(({ name }: { name: string }) => name)
    assert.deepEqual(folders.sort(), ['Deep', 'Public gallery', 'pics'])
  })
})
