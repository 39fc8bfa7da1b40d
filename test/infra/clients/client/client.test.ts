import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, test } from 'vitest'
import { callsOf } from '../../../../infra/clients/client/calls.ts'
import { signIn, withSession, withToken } from '../../../../infra/clients/client/client.ts'
import { TRIES } from '../../../../infra/clients/client/retries.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { type Carried, type Fault, unsteadyLine } from '../../../support/unsteady-line.ts'
import { withoutPauses } from '../../../support/without-pauses.ts'

describe('the client', async () => {
  const line = await unsteadyLine()
  afterAll(() => line.close())
  const { service, person } = await serviceWithAccounts(line.settings)
  const anna = await person()
  const library = await signIn({ url: line.url }, anna)
  const { id: folder } = await library.post('/folder', { body: { name: 'Harbour' } })
  beforeEach(() => {
    line.carried.length = 0
    line.fault = () => undefined
  })

  /** Lets faults happen to the first requests that fit, one after the other. */
  const failing = (fits: (request: Carried) => boolean, ...faults: Fault[]) => {
    line.fault = (request) => (fits(request) ? faults.shift() : undefined)
  }
  const filesIn = async (id: number) => {
    const found: string[] = []
    const query = { folder_ids: [id], return_values: ['filename' as const] }
    for await (const { filename = '' } of library.searchAll(query)) found.push(filename)
    return found.sort()
  }
  /** The calls of the library, which note how long they were to wait between two tries, in milliseconds, and don't. */
  const hasty = () => {
    const waits: number[] = []
    const options = { baseUrl: line.url, headers: { authorization: `SVC-SIMPLE-TOKEN Token=${library.token}` }, tries: TRIES }
    return { waits, calls: callsOf(options, async (milliseconds) => void waits.push(milliseconds)) }
  }
  const newFolder = async () => (await library.post('/folder', { body: { name: 'A folder', parent: folder } })).id

  test('signs in as a program of the library, with a key as an application, with a token, and signs out', async () => {
    const { username, password, api_key: key, api_secret: secret } = service.demo
    const application = await signIn({ url: line.url }, { username, password, key, secret })
    assert.equal((await application.get('/whoami')).username, username)
    assert.equal((await withToken({ url: line.url }, application.token!).get('/whoami')).username, username)
    await application.signOut()
    await assert.rejects(application.get('/whoami'), { name: 'MediaLibraryError', status: 401 })
    await assert.rejects(signIn({ url: line.url }, { username, password: 'wrong' }), { status: 401 })
    await assert.rejects(withSession({ url: line.url }), { status: 401 })
  })

  test('tries again what passes, as the same request', async () => {
    const isCreation = ({ method, url }: Carried) => method === 'POST' && url === '/folder'
    failing(isCreation, { status: 503, headers: { 'retry-after': '7' } }, 'break', { status: 429 }, 'lose')
    const { calls, waits } = hasty()
    const { id } = await calls.post('/folder', { body: { name: 'Once', parent: folder } })
    assert.ok(waits.length === 4 && waits[0]! >= 7_000, String(waits))
    const sent = line.carried.filter(isCreation)
    assert.equal(sent.length, 5)
    assert.equal(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
    assert.ok(sent[0]!.idempotencyKey)
    const children = await library.get('/folder', { params: { query: { parent: String(folder) } } })
    assert.deepEqual(
      children.filter(({ name }) => name === 'Once').map((child) => child.id),
      [id],
    )
  })

  test('gives up after five tries, at once what can not pass, and what takes too long', async () => {
    line.fault = () => 'break'
    await assert.rejects(hasty().calls.get('/whoami'), { status: 0, code: 'network' })
    assert.equal(line.carried.length, 5)
    for (const answer of [{ status: 500 }, { status: 403 }, { status: 429, headers: { 'retry-after': '900' } }]) {
      line.carried.length = 0
      line.fault = () => answer
      await assert.rejects(library.get('/whoami'), { status: answer.status })
      assert.equal(line.carried.length, 1)
    }
  })

  test('ends when its caller says so, also while it waits', async () => {
    line.fault = () => ({ status: 503, headers: { 'retry-after': '50' } })
    await assert.rejects(library.get('/whoami', { signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' })
    await assert.rejects(library.upload(new Blob(['x']), { folder, filename: 'x', signal: AbortSignal.abort() }), { name: 'AbortError' })
  })

  test('uploads a file by a form, and follows its import', async () => {
    const told: number[] = []
    const file = new File([randomBytes(5_000)], 'a #1 % "🌊".bin')
    const id = await library.upload(file, { folder, onProgress: (sent, total) => told.push(sent, total) })
    const media = await library.waitUntilAvailable(id)
    assert.deepEqual([media.filename, media.file_disksize], ['a #1 % "🌊".bin', 5_000])
    assert.deepEqual(told.slice(-2), [5_000, 5_000])
    const empty = await library.upload(new Blob([]), { folder, filename: 'empty.txt' })
    assert.equal((await library.waitUntilAvailable(empty)).file_disksize, 0)
  })

  test('makes one file of an upload whose connection breaks, and whose answer is lost', async () => {
    withoutPauses()
    const into = await newFolder()
    const isForm = ({ method, url }: Carried) => method === 'POST' && !url.startsWith('/upload/register')
    const isFinalize = ({ url }: Carried) => url.startsWith('/upload/finalize')
    failing((request) => isForm(request) || isFinalize(request), 'break', 'break', 'lose', undefined, undefined, 'lose', 'lose')
    const id = await library.upload(new Blob(['once']), { folder: into, filename: 'once.txt' })
    await library.waitUntilAvailable(id)
    assert.deepEqual(await filesIn(into), ['once.txt'])
  })

  test('asks for another form where storage refuses one that was taken before, and not where it refuses the first', async () => {
    withoutPauses()
    const isForm = ({ method, url }: Carried) => method === 'POST' && url === '/-/uploads'
    const file = () => new File(['old'], 'old.txt')
    failing(isForm, { status: 503 }, { status: 403 })
    assert.ok(await library.upload(file(), { folder }))
    assert.equal(line.carried.filter(({ url }) => url === '/upload/register').length, 2)
    failing(isForm, { status: 403 })
    await assert.rejects(library.upload(file(), { folder }), { status: 403 })
  })

  test('sends large files in parts, and after an end in the middle only what is missing', async () => {
    const file = new File([randomBytes(70 * 2 ** 20)], 'large.bin')
    const isPart = ({ method }: Carried) => method === 'PUT'
    const ending = new AbortController()
    const begun: string[] = []
    const onBegin = (resume: string) => void begun.push(resume)
    const onProgress = (sent: number) => sent >= 3 * 2 ** 23 && ending.abort()
    await assert.rejects(library.upload(file, { folder, onBegin, onProgress, signal: ending.signal }), { name: 'AbortError' })
    const [resume] = begun
    const params = { path: { uploadId: resume! } }
    const { received } = await library.get('/upload/multipart/{uploadId}', { params })
    assert.ok(received.length >= 3)
    line.carried.length = 0
    failing(isPart, 'break', { status: 503 }, 'lose')
    const told: number[] = []
    const id = await library.upload(file, { folder, resume, onProgress: (sent) => told.push(sent) })
    // Those that failed, and those of which the abort came before the answer.
    assert.ok(line.carried.filter(isPart).length <= 9 - received.length + 3)
    assert.equal(told.at(-1), file.size)
    assert.equal((await library.waitUntilAvailable(id)).file_disksize, file.size)
    assert.equal(await library.upload(file, { folder, resume }), id)
  })

  test('tells what happens, once and in order, over a line that breaks, and goes on where it was', async () => {
    withoutPauses()
    const ending = new AbortController()
    const cursors: string[] = []
    const start = (await library.get('/event', { params: { query: { cursor: 'now' } } })).cursor
    const made: number[] = []
    const told: (number | undefined)[] = []
    const options = { types: ['folder.created' as const], signal: ending.signal, onCursor: (cursor: string) => void cursors.push(cursor) }
    line.fault = ({ url }) => (url.startsWith('/event') && line.carried.length % 3 === 0 ? 'lose' : undefined)
    const following = (async () => {
      for await (const { data } of library.events(start, options)) if (told.push(data.folder_id) === 3) ending.abort()
    })()
    for (let count = 0; count < 3; count++) made.push(await newFolder())
    await assert.rejects(following, { name: 'AbortError' })
    assert.deepEqual(told, made)
    line.fault = () => undefined
    const rest = async (cursor: string | undefined) =>
      (await Array.fromAsync(library.events(cursor, { follow: false, types: options.types }))).map(({ data }) => data.folder_id)
    assert.deepEqual(await rest(cursors.at(-1)), [])
    // Whoever stops at an event is told no cursor behind it.
    cursors.length = 0
    for await (const _event of library.events(start, { ...options, signal: undefined })) break
    assert.deepEqual(cursors, [])
    assert.deepEqual(await rest(start), made)
    assert.deepEqual((await rest(undefined)).slice(-3), made)
    assert.deepEqual(await rest('now'), [])
    await assert.rejects(rest('nonsense'), { status: 400 })
  })
})
