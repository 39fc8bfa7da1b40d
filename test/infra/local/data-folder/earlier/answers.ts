import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Somebody with a key of their company's. */
export interface Person {
  username: string
  password: string
  company: number
  key: string
  secret: string
}

/** Who asks, and what was made: written beside a data folder by the state of the code that made it. */
export interface Made {
  /** When the folder was finished, in UNIX milliseconds. */
  at: number
  people: Person[]
  media: number[]
  /** Jobs of zips. */
  zips: string[]
  /** Folders that have an alias. */
  cdnFolders: number[]
  /** Whether downloads carried metadata. */
  writesMetadata: boolean
  /** Of another company: what the server left undone. */
  late: { person: Person; mediaId: number; sha256: string; deletedFolder: number }
}

/** Answers by who asks and what for: status, and the body, in which addresses stand for the bytes that they lead to. */
export type Answers = Record<string, { status: number; body: unknown }>

interface Named {
  id: number
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Milliseconds between two looks at what is being prepared. */
const PAUSE = 100
const LOOKS = 600

/** Signs a person in. @param now in UNIX milliseconds @returns the value of the `Authorization` header */
export async function signIn(baseUrl: string, { username, password, key, secret }: Person, now: number): Promise<string> {
  const ts = Math.floor(now / 1_000)
  const hmac = createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')
  const body = JSON.stringify({ username, password, key, ts, hmac })
  const response = await fetch(`${baseUrl}/authenticate/userpasshmac`, { method: 'POST', body })
  if (response.status !== 200) throw new Error(`signing in as ${username}: ${response.status} ${await response.text()}`)
  return `SVC-SIMPLE-TOKEN Token=${((await response.json()) as { token: string }).token}`
}

/** Asks for all that a service says of a library, as each of its people. @param now in UNIX milliseconds */
export async function everyAnswer(baseUrl: string, made: Omit<Made, 'late'>, now: () => number): Promise<Answers> {
  const answers: Answers = {}
  for (const person of made.people) {
    const authorization = await signIn(baseUrl, person, now())
    const ask = async (path: string, query = '') => {
      const answer = await settled(baseUrl + path + query, authorization)
      answers[`${person.username} ${path}`] = answer
      return answer.body
    }
    await askAll(ask, person.company, made)
  }
  return answers
}

const RETURNED = ['unique_media_id', 'title', 'keywords', 'thumbnail_url', 'folder_id', 'camera_created'].map(
  (name) => `return_values=${name}`,
)

type Ask = (path: string, query?: string) => Promise<unknown>

async function askAll(ask: Ask, company: number, { at, media, zips, cdnFolders, writesMetadata }: Omit<Made, 'late'>): Promise<void> {
  const { id: me } = (await ask('/whoami')) as Named
  for (const part of ['users', 'apikeys', 'folders', 'diskusage']) await ask(`/company/${company}/${part}`)
  const folders = listed(await ask('/folder'))
  for (const { id } of folders) for (const part of ['', '/tags']) await ask(`/folder/${id}${part}`)
  for (const { id } of listed(await ask('/clique'))) for (const part of ['member', 'folder']) await ask(`/clique/${id}/${part}`)
  for (const part of ['', '/clique', '/folders', '/diskusage', '/profileimage', '/profileimage/original']) await ask(`/user/${me}${part}`)
  for (const id of media) {
    for (const part of ['', '/metadata', '/metadata/expiration_date', '/tags', '/folders', '/download/preview'])
      await ask(`/media/${id}${part}`)
    // Downloads carry metadata today, but for those of originals.
    await ask(`/media/${id}/download_location`, at > 0 && !writesMetadata ? '?original=1' : '')
    if (writesMetadata) await ask(`/media/${id}/download_location/320px`)
    for (const part of ['metadata/stream_url', 'subtitles', 'subtitles/da']) await ask(`/media/${id}/${part}`)
  }
  for (const { id } of folders) await ask(`/search?folder_ids=${id}&${RETURNED.join('&')}`)
  for (const q of ['harbour', 'keyword']) await ask(`/search?q=${q}&${RETURNED.join('&')}`)
  for (const id of zips) await ask(`/zip-file/${id}`)
  await ask(`/cdn/${company}/company/aliases`)
  for (const folder of cdnFolders) for (const id of media) await ask(`/cdn/${company}/folder/${folder}/link/${id}`)
}

const listed = (body: unknown): Named[] => (Array.isArray(body) ? body : [])

/** What a GET says once it is no longer being prepared. */
async function settled(url: string, authorization: string): Promise<Answers[string]> {
  for (let look = 0; ; look += 1) {
    const response = await fetch(url, { headers: { authorization }, redirect: 'manual' })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const body: unknown = isJson ? JSON.parse(bytes.toString()) : (response.headers.get('location') ?? `bytes ${sha256(bytes)}`)
    const isPending = response.status === 202 || (body as { state?: string } | null)?.state === 'PENDING'
    if (isPending && look < LOOKS) await sleep(PAUSE)
    else return { status: response.status, body: response.ok || response.status === 302 ? await withBytes(body) : null }
  }
}

/** Replaces addresses of the machine by what they lead to: they have a port, a time and a signature. */
async function withBytes(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return /^http:\/\/(127\.0\.0\.1|localhost):\d+\//.test(value) ? bytesAt(value) : value
  if (Array.isArray(value)) return Promise.all(value.map(withBytes))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([name, each]) => [name, await withBytes(each)])
  return Object.fromEntries(await Promise.all(entries))
}

async function bytesAt(url: string): Promise<string> {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return response.ok ? `bytes ${sha256(bytes)}` : `status ${response.status}`
}
