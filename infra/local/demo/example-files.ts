import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { endpoints } from '../../../functions/endpoints.ts'
import { type ApiClient, apiClient, postUploadForm } from '../../../shared/http/declaration/client.ts'
import type { RouteSettings } from '../../../shared/http/declaration/route.ts'
import { ffmpegEnvironment, findFfmpeg } from '../../../shared/tools/video/find-ffmpeg.ts'
import type { DemoFile } from './demo.ts'
import { drawLandscape, type Landscape } from './landscape.ts'

const execute = promisify(execFile)

type Client = ApiClient<typeof endpoints>

interface ExamplePicture {
  filename: string
  title: string
  landscape: Landscape
}

/** Name of the root folder that holds them. */
const FOLDER = 'Examples'
const FILM_SECONDS = 6
/** Milliseconds that making the film may take. */
const FILM_LIMIT = 60_000

const dawn = { sky: ['#35477d', '#f6b29b'], sun: { colour: '#ffe9c7', x: 0.3, y: 0.42 } } as const
const noon = { sky: ['#2f80c8', '#d8eefb'], sun: { colour: '#fffbe6', x: 0.72, y: 0.2 } } as const
const dusk = { sky: ['#1d1b4c', '#e76f51'], sun: { colour: '#ffd166', x: 0.55, y: 0.5 } } as const
const night = { sky: ['#0b1026', '#2b3a67'], sun: { colour: '#f4f1de', x: 0.78, y: 0.18 } } as const

const green = ['#9cc5a1', '#6aa67a', '#3f7d58', '#21513a']
const sand = ['#f4d6a0', '#e5b56c', '#c98f4a', '#8c5a2b']
const blue = ['#a9b9d6', '#7389b5', '#465c8f', '#26365f']
const violet = ['#8d6a9f', '#6b4a80', '#4a2f60', '#2a1a3e']

const pictures: readonly ExamplePicture[] = [
  { filename: 'green-hills.jpg', title: 'Green hills at noon', landscape: { width: 2400, height: 1600, ...noon, hills: green } },
  { filename: 'desert-dusk.jpg', title: 'Desert at dusk', landscape: { width: 2400, height: 1350, ...dusk, hills: sand } },
  { filename: 'blue-mountains.jpg', title: 'Blue mountains at dawn', landscape: { width: 1600, height: 2000, ...dawn, hills: blue } },
  { filename: 'moonlight.jpg', title: 'Moonlight', landscape: { width: 2000, height: 2000, ...night, hills: blue } },
  { filename: 'violet-evening.jpg', title: 'Violet evening', landscape: { width: 3000, height: 1300, ...dusk, hills: violet } },
]

const FILM = 'valley.mp4'
/** All of them. */
export const exampleNames: readonly string[] = [...pictures.map(({ filename }) => filename), FILM]

const panorama: Landscape = { width: 3840, height: 720, ...dawn, hills: green }

export interface ExampleFiles extends RouteSettings {
  /** The service, which answers there. */
  baseUrl: string
  brand: string
  demo: DemoFile
  /** Holds the film while it is made. */
  temporaryDirectory: string
  /** Names of those that are added. */
  missing: readonly string[]
  /** Notes the names that are still missing, after each. */
  note(missing: readonly string[]): Promise<void>
}

/**
 * Puts a few pictures and, where there is an ffmpeg, a short film into a folder of the demo, by the calls that every client makes: so that
 * whoever looks at the library for the first time finds something.
 */
export async function addExampleFiles({ demo, temporaryDirectory, brand, missing, note, ...service }: ExampleFiles): Promise<void> {
  const { username, password, company_id } = demo
  const { body } = await apiClient(endpoints, service)['begin-session']({ body: { username, password, token: true } })
  if (!('token' in body)) throw new Error('the demo could not sign in')
  const client = apiClient(endpoints, { ...service, authorization: `${brand}-SIMPLE-TOKEN Token=${body.token}` })
  const id = await exampleFolder(client, company_id)
  const remaining = new Set(missing)
  const noteDone = (filename: string) => remaining.delete(filename) && note([...remaining])
  for (const { filename, title, landscape } of pictures.filter((picture) => remaining.has(picture.filename))) {
    const picture = sharp(Buffer.from(drawLandscape(landscape))).jpeg({ quality: 88 })
    await upload(client, id, filename, await picture.withXmp(xmp(title)).toBuffer())
    await noteDone(filename)
  }
  const film = remaining.has(FILM) ? await makeFilm(temporaryDirectory) : undefined
  if (film) await upload(client, id, FILM, film)
  await noteDone(FILM)
}

/** @returns the id of the folder, which a start that ended early may have made */
async function exampleFolder(client: Client, company_id: number): Promise<number> {
  const { body: folders } = await client['list-folders']()
  const known = folders.find(({ name, parent }) => name === FOLDER && parent === null)
  return (known ?? (await client['create-folder']({ body: { name: FOLDER, parent: null, company_id } })).body).id
}

async function upload(client: Client, folder: number, filename: string, bytes: Buffer): Promise<void> {
  const { body: form } = await client['register-upload']({ body: { folder } })
  const finalized = await postUploadForm(form, { bytes: new Uint8Array(bytes), filename })
  if (!finalized.ok) throw new Error(`${filename} was answered with ${finalized.status}`)
}

/** A title, as files carry it: the import reads it. */
function xmp(title: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>`
}

/** A film that moves across a landscape. Undefined where no ffmpeg is here. */
async function makeFilm(temporaryDirectory: string): Promise<Buffer | undefined> {
  const ffmpeg = await findFfmpeg()
  if (!ffmpeg) return undefined
  const folder = await mkdtemp(join(temporaryDirectory, 'film-'))
  try {
    await sharp(Buffer.from(drawLandscape(panorama)))
      .png()
      .toFile(join(folder, 'panorama.png'))
    const move = `crop=1280:720:(iw-ow)*t/${FILM_SECONDS}:0,format=yuv420p`
    const input = ['-loop', '1', '-framerate', '25', '-t', String(FILM_SECONDS), '-i', 'panorama.png']
    const args = ['-nostdin', '-v', 'error', ...input, '-vf', move, '-c:v', 'libx264', 'film.mp4']
    await execute(ffmpeg.command, args, { cwd: folder, env: ffmpegEnvironment(), timeout: FILM_LIMIT })
    return await readFile(join(folder, 'film.mp4'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
