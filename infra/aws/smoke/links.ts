import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { OperatorActor } from '../../../shared/library/actor.ts'
import { addAlias, removeAlias } from '../../../shared/library/links/aliases.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import type { Cleanup } from './cleanup.ts'
import { type Client, succeeded } from './visit.ts'

const by: OperatorActor = { kind: 'operator', command: 'smoke-test' }

/** Pause before another look at a link, in milliseconds. */
const PAUSE = 500

/** A file in a CDN folder. */
export interface Linked {
  company: CompanyId
  folder: number
  media: number
}

/** Makes a CDN folder with an alias, and adds the alias to the cleanup. @returns the folder's id */
export async function makeCdnFolder(
  { table, clock }: Pick<OpenLibrary, 'table' | 'clock'>,
  cleanup: Cleanup,
  { companyId, alias }: { companyId: CompanyId; alias: string },
): Promise<number> {
  const library = { table, clock, by }
  cleanup.add(`alias ${alias} of company ${companyId}`, async () => void (await removeAlias(library, companyId, alias)))
  return (await addAlias(library, companyId, alias, { name: 'Smoke test of links' })).folderId
}

/** Copies a file into a CDN folder and waits until its link can be fetched. @returns the URL */
export async function publish(client: Client, { company, folder, media }: Linked, init: RequestInit): Promise<string> {
  succeeded(await client['copy-media']({ params: { id: media, folderId: folder }, init }))
  for (;;) {
    const { url, state } = succeeded(await client['get-link']({ params: { company, folder, media }, init }))
    if (url !== null && state === 'active') return url
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** @throws Error unless a link with a width is answered with a picture so wide */
export async function rendersTo(width: number, url: string, init: RequestInit): Promise<void> {
  await showsWide(width, `${url}?width=${width}`, init)
}

/** @throws Error unless IIIF shows a part of a link's picture */
export async function showsPart(url: string, init: RequestInit): Promise<void> {
  const service = url.replace(/\/([^/]+)\/([0-9a-f]{32})\.\w+$/, '/iiif/3/$1/$2')
  // With all characters that such addresses have.
  await showsWide(16, `${service}/pct:0,0,50.5,50.5/!16,16/!180/gray.png`, init)
}

async function showsWide(width: number, url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}, ${bytes.toString('utf8', 0, 300)}`)
  const found = (await sharp(bytes).metadata()).width
  if (found !== width) throw new Error(`the picture is ${found} pixels wide`)
}

/** Removes a file from a CDN folder, where it is in one, within a time in milliseconds. */
export async function unlink(client: Client, { folder, media }: Linked, longest: number): Promise<void> {
  const { status, body } = await client['remove-media']({
    params: { id: media, folderId: folder },
    init: { signal: AbortSignal.timeout(longest) },
  })
  if (status !== 200 && status !== 404) throw new Error(`removing it is answered with ${status}, ${JSON.stringify(body)}`)
}

/** Removes a file from a CDN folder and waits until its link answers 404: edges forget within a minute. */
export async function withdraw(client: Client, { folder, media }: Linked, url: string, init: RequestInit): Promise<void> {
  succeeded(await client['remove-media']({ params: { id: media, folderId: folder }, init }))
  for (;;) {
    const { status, body } = await fetch(url, init)
    await body?.cancel()
    if (status === 404) return
    if (status !== 200) throw new Error(`answered with ${status} instead of 404`)
    await pause(PAUSE, undefined, signalOf(init))
  }
}

const signalOf = ({ signal }: RequestInit) => (signal ? { signal } : {})
