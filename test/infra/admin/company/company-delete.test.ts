import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type EndpointName, endpoints } from '../../../../functions/endpoints.ts'
import { openLibrary } from '../../../../infra/admin/library/library.ts'
import { runAdmin } from '../../../../infra/admin/program.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedMail } from '../../../../shared/backends/mail/embedded.ts'
import type { Item } from '../../../../shared/backends/table/port.ts'
import { apiClient } from '../../../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { userKey } from '../../../../shared/library/accounts/users.ts'
import { kindOf } from '../../../../shared/library/check/keys.ts'
import { everyObject, everyScanned } from '../../../../shared/library/pages.ts'
import type { CompanyId, UserId } from '../../../../shared/vocabulary/ids.ts'
import { loopbackProviders } from '../../../support/openid-server.ts'
import { routeSettings } from '../../../support/service.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { successes } from '../../../support/successes.ts'
import { RunningClock } from '../../../support/test-clock.ts'
import { until } from '../../../support/until.ts'
import { uploadAndImport } from '../../../support/uploading.ts'
import { callerOf, makeFiles, type World } from '../../../support/world.ts'
import { runCommand } from '../run-command.ts'

/** Calls by which a company gets one of everything. */
const MAKING: readonly EndpointName[] = [
  ...(['share-folder-with-clique', 'add-clique-member', 'add-folder-tags', 'move-folder-to-trash', 'move-media-to-trash'] as const),
  ...([
    'register-upload',
    'begin-multipart-upload',
    'finalize-upload',
    'create-share',
    'create-shared-zip',
    'finalize-shared-upload',
  ] as const),
  ...(['begin-shared-multipart-upload', 'create-zip', 'create-selection-zip', 'change-media-in-bulk', 'replace-keywords'] as const),
  ...(['get-download-location', 'get-sized-download-location', 'create-stream', 'get-stream-url', 'put-subtitles', 'get-link'] as const),
  ...([
    'replace-link',
    'upload-profile-image',
    'begin-session',
    'finish-sign-on',
    'search-media',
    'create-webhook',
    'test-webhook',
  ] as const),
]

/** Marks that hold nothing of a company and expire by themselves, what is of the library as a whole, and the stock catalogue. */
const STAYING = /^(TOLD|IDEMPOTENCY|ATTEMPTS|RESETREQUEST|TRANSCODED|DEMO|FACTS|SCHEDULE|STOCK) |^JOB#invalidate-edges\.edges /

describe('company delete', async () => {
  const { service, accounts, person } = await serviceWithAccounts(loopbackProviders)
  const directory = service.directory!
  const companyId = service.demo.company_id as CompanyId
  const args = ['company', 'delete', '--company', String(companyId)]
  let other: { companyId: CompanyId; person: Awaited<ReturnType<typeof person>>; media: number }
  let both: Awaited<ReturnType<typeof person>>
  let world: World
  let stored: Awaited<ReturnType<typeof openLibrary>>

  beforeAll(async () => {
    const client = await service.client()
    world = { service, client, accounts, ...(await makeFiles(client)) }
    const of = await accounts.company('Another')
    const admin = await person({ companyId: of, admin: true })
    const folder = (await admin.client['create-folder']({ body: { name: 'Theirs', company_id: of } })).body.id
    const file = await uploadAndImport(admin.client, folder, Buffer.from('theirs'), 'theirs.txt')
    other = { companyId: of, person: admin, media: Number(file.id) }
    both = await person({ companyId: of })
    assert.equal((await runCommand(directory, ['user', 'join', '--username', both.username, '--company', String(companyId)])).code, 0)
    for (const name of MAKING) {
      const endpoint: Endpoint = endpoints[name]
      const caller = callerOf(endpoint) === 'user' ? { authorization: await service.signIn() } : {}
      const call = apiClient({ [name]: endpoint }, { baseUrl: service.baseUrl, ...routeSettings, ...caller })[name]!
      const { status, body } = await call(await successes[name](world))
      assert.ok(status < 400, `${name}: ${status} ${JSON.stringify(body)}`)
    }
    stored = await openLibrary({ stack: undefined, environment: { DATA_DIR: directory } })
  }, 120_000)
  afterAll(() => stored?.close())

  const items = () => Array.fromAsync(everyScanned(stored.scanner)) as Promise<Item[]>

  it('says what goes, and deletes nothing where nobody can be asked', async () => {
    const { code, out, error } = await runCommand(directory, args, 'Demo')
    assert.deepEqual([code, out], [1, ''])
    assert.match(
      error,
      /^Company \d+ has \d+ files \(\d+ bytes\), \d+ folders, \d+ users, .*1 user of other companies, too\. .* takes --yes\.$/,
    )
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const ask = async (question: string) => {
      say(question)
      return 'Another'
    }
    const terminal = { environment: { DATA_DIR: directory }, isTerminal: true, readInput: async () => '', ask, out: say, error: say }
    assert.equal(await runAdmin(args, terminal), 1)
    assert.match(said[0]!, / All of it goes\. Type "Demo" to delete it for good: $/)
    assert.match(said[1]!, /^Nothing was deleted\./)
    assert.equal((await service.request('/folder', { headers: { authorization: await service.signIn() } })).status, 200)
  })

  it('removes all that is of it, and nothing of others', async () => {
    const { client } = world
    const posted = (await successes['finalize-upload'](world)) as { params: { uploadId: string } }
    const userIds = (await client['list-company-users']({ params: { id: companyId } })).body.map(({ id }) => id)
    const kinds = new Set((await items()).map(kindOf))
    for (const kind of [
      'LINK LINK',
      'SHARE SHARE',
      'ZIP ZIP',
      'BULK BULK',
      'MEDIA VIDEO',
      'CLIQUE USER',
      'KEY KEY',
      'PROVIDER IDENTITY',
      'UPLOAD UPLOAD',
    ])
      assert.ok(kinds.has(kind), kind)

    const paths = embeddedLayout(directory)
    const mail = openEmbeddedMail({ folder: paths.mail, sender: 'a@example.com', clock: systemClock })
    const theirs = 'someone.with.a.long.name.at.another.company@another-company.example'
    for (const to of ['demo@example.com', theirs]) await mail.send({ to, subject: 'Hello', text: 'Hello', html: 'Hello' })
    await accounts.table.update(userKey(service.demo.user_id as UserId), { set: { email: 'demo@example.com' } })
    await mkdir(join(paths.linkPictures, '01'), { recursive: true })
    await writeFile(join(paths.linkPictures, '01', 'a'), 'a rendered picture')
    const running = new RunningClock()
    const meanwhile: number[] = []
    const clock = {
      now: () => running.now(),
      async sleep(milliseconds: number) {
        if (meanwhile.length === 0) {
          meanwhile.push((await client['list-folders']({})).status)
          meanwhile.push((await client['register-upload']({ body: { folder: world.folder } })).status)
          meanwhile.push((await client['finalize-upload'](posted)).status)
        }
        running.advance(milliseconds / 1000)
      },
    }
    const deleted = await runCommand(directory, [...args, '--yes', '--json'], '', {}, clock)
    assert.equal(deleted.code, 0, deleted.error)
    const { company_id, left, deleted: counts } = JSON.parse(deleted.out)
    assert.deepEqual([company_id, left, counts.webhooks], [companyId, 1, 1])
    assert.deepEqual(meanwhile, [401, 401, 403])

    // The server hears of the changes, and writes nothing of the company any more.
    await until(async () => (await accounts.table.query({ pk: 'INVALIDATIONS' })).items.length === 0)
    const doomed = new RegExp(
      `(?<![\\d.])(${[companyId, ...userIds.filter((id) => id !== both.userId), world.folder, world.media].join('|')})(?![\\d.])`,
    )
    const rest = (await items()).filter((item) => !STAYING.test(`${item.pk} ${item.sk}`) && doomed.test(JSON.stringify(item)))
    assert.deepEqual(rest, [])
    const { uploads, media, publicFiles } = await stored.openCompanyRemoval()
    const keys = async (bucket: Pick<typeof media, 'list'>) => (await Array.fromAsync(everyObject(bucket, ''))).map(({ key }) => key)
    assert.deepEqual(
      (await keys(media)).filter((key) => !key.startsWith(`${other.companyId}/`) && !/^(generic|0)\//.test(key)),
      [],
    )
    assert.deepEqual(
      (await keys(publicFiles)).filter((key) => !/^_\/(console|player)\//.test(key)),
      [],
    )
    assert.deepEqual(await keys(uploads), [])
    assert.ok(!(await readdir(paths.search)).some((name) => name.startsWith(`${companyId}.`)))
    const letters = await Promise.all((await readdir(paths.mail)).map((name) => readFile(join(paths.mail, name), 'latin1')))
    assert.ok(letters.some((letter) => letter.includes(theirs)) && !letters.some((letter) => letter.includes('demo@example.com')))
    assert.ok(!existsSync(paths.linkPictures))

    const checked = await runCommand(directory, ['check', '--json'], '', {}, new RunningClock().hasty)
    assert.deepEqual(JSON.parse(checked.out), { clean: true, problems: [] })
    // What others signed in with was a key of the company.
    const { key: api_key, secret: api_secret } = await accounts.key([], other.companyId)
    const again = async ({ username, password }: typeof both) =>
      service.client(await service.signIn({ username, password, api_key, api_secret }))
    assert.equal((await (await again(other.person))['get-media']({ params: { id: other.media } })).status, 200)
    const { body: me } = await (await again(both)).whoami()
    assert.deepEqual(me.companies, [other.companyId])
    assert.match((await runCommand(directory, args)).error, /^There is no company/)
  })
})
