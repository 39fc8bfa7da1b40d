import { setTimeout as pause } from 'node:timers/promises'
import { endpoints } from '../../../functions/endpoints.ts'
import { apiClient } from '../../../shared/http/declaration/client.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { mediaIn } from '../../../shared/library/media/pointers.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { type CompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import { makeAccounts, type Visitor } from './accounts.ts'
import { Cleanup } from './cleanup.ts'
import { makeCdnFolder, publish, rendersTo, showsPart, unlink, withdraw } from './links.ts'
import { PHOTO, photo } from './photo.ts'
import { Report, StepFailed } from './report.ts'
import { enableStock, stockIsClosed, stockIsSearched } from './stock.ts'
import { enableStreaming, plays, previewed, showsPlayer, streamed, unstreamed, VIDEO, video } from './videos.ts'
import {
  type Client,
  delivers,
  found,
  imported,
  refused,
  signIn,
  succeeded,
  tampered,
  unsigned,
  untilHealthy,
  upload,
  zipped,
} from './visit.ts'

/** Time limits of the test and of waiting for removals, in milliseconds. */
const LONGEST = 300_000
const LONGEST_REMOVAL = 30_000

/** A running service. */
export interface Target {
  /** Without trailing slash. */
  baseUrl: string
  /** Begins the names of authorization schemes. */
  brand: string
  /** Path segment of the stock library. */
  vendor: string
  /** Address of the player, without trailing slash. */
  playerUrl: string
  library: Pick<OpenLibrary, 'table' | 'apiSecretsKey' | 'clock' | 'openMedia'>
}

/**
 * Tests the main task of a library as a client does it. It makes a company, an admin, a key, a photo and a video, and removes them also when a
 * step fails. Records that expire stay until then: tokens, uploads, and what the index remembers of removed files. A link stays until edges were
 * told twice to forget it.
 * @param say prints a line: each step, and what could not be removed
 * @param interrupted ends it early
 * @returns whether everything went well
 */
export async function smokeTest(target: Target, say: (line: string) => void, interrupted: AbortSignal): Promise<boolean> {
  const report = new Report(say)
  const cleanup = new Cleanup()
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(LONGEST)])
  try {
    await walk(target, report, cleanup, { signal })
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
  } finally {
    for (const what of await cleanup.run()) {
      say(`STAYS   ${what}`)
      report.failed()
    }
  }
  return report.failures === 0
}

async function walk(
  { baseUrl, brand, vendor, playerUrl, library }: Target,
  report: Report,
  cleanup: Cleanup,
  init: RequestInit,
): Promise<void> {
  const anonymous: Client = apiClient(endpoints, { baseUrl, vendor })
  await report.step('the API answers', () => untilHealthy(anonymous, init))
  const visitor = await report.step('a company with an admin and a key is made', () => makeAccounts(library, cleanup))
  const authorization = await report.step('the admin signs in', () => signIn(anonymous, brand, visitor, init))
  const client: Client = apiClient(endpoints, { baseUrl, vendor, authorization })
  const folder = await report.step(
    'a folder is made',
    async () => succeeded(await client['create-folder']({ body: { name: 'Smoke test' }, init })).id,
  )
  const bytes = await photo()
  const filename = `${visitor.username.replaceAll('-', '')}.jpg`
  const { companyId } = visitor
  cleanup.add(`files in folder ${folder} of company ${companyId}`, () => removeFiles(client, library, { folder, companyId }))
  const id = await report.step('a photo is uploaded', () => upload(client, { folder, bytes, filename }, init))
  await report.step('it is imported', () => imported(client, id, PHOTO, init))
  await report.check('a search finds it', () => found(client, filename, init))
  const location = async () => succeeded(await client['get-download-location']({ params: { id }, init })).url
  const url = await report.step('a signed URL is made', location)
  await report.check('the download is the photo, byte for byte', () => downloads(url, bytes, init))
  const title = `Title ${visitor.username}`
  await report.check('a title that is edited is in the next download', async () => {
    succeeded(await client['set-title']({ params: { id }, body: { en: title }, init }))
    await delivers(await location(), Buffer.from(title), init)
  })
  await report.check('the folder is zipped, the photo with its title in it', async () => {
    await delivers(await zipped(client, folder, init), Buffer.from(title), init)
  })
  await links({ library, client, cleanup, visitor, media: id }, report, bytes, init)
  await videos({ library, client, visitor, folder, playerUrl }, report, init)
  await report.check('the stock library is closed to a company without the right', () => stockIsClosed(client, init))
  await report.step('the company may use the stock library', () => enableStock(library, companyId))
  await report.check('a search of the stock library is answered', () => stockIsSearched(client, init))
  await report.check('a URL with a forged signature is refused', () => refused(tampered(url), init))
  await report.check('a URL without a signature is refused', () => refused(unsigned(url), init))
}

/** Checks the public view of a file in a CDN folder. */
async function links(
  {
    library,
    client,
    cleanup,
    visitor,
    media,
  }: Pick<Target, 'library'> & { client: Client; cleanup: Cleanup; visitor: Visitor; media: number },
  report: Report,
  bytes: Uint8Array,
  init: RequestInit,
): Promise<void> {
  const { companyId, username: alias } = visitor
  const folder = await report.step('a CDN folder is made', () => makeCdnFolder(library, cleanup, { companyId, alias }))
  const linked = { company: companyId, folder, media }
  cleanup.add(`the photo in CDN folder ${folder} of company ${companyId}`, () => unlink(client, linked, LONGEST_REMOVAL))
  const url = await report.step('the photo is published by a copy into it', () => publish(client, linked, init))
  await report.check('its link is the photo, byte for byte', () => downloads(url, bytes, init))
  await report.check('the link is rendered 64 pixels wide', () => rendersTo(64, url, init))
  await report.check('IIIF shows a part of it', () => showsPart(url, init))
  await report.check('removed from the CDN folder, the link answers 404', () => withdraw(client, linked, url, init))
}

/** Checks the public view of a video that was made a stream. */
async function videos(
  {
    library,
    client,
    visitor,
    folder,
    playerUrl,
  }: Pick<Target, 'library' | 'playerUrl'> & { client: Client; visitor: Visitor; folder: number },
  report: Report,
  init: RequestInit,
): Promise<void> {
  const { companyId, username } = visitor
  const filename = `${username.replaceAll('-', '')}.mp4`
  await report.step('the company may make streams', () => enableStreaming(library, companyId))
  const bytes = await video()
  const media = await report.step('a video is uploaded', () => upload(client, { folder, bytes, filename }, init))
  await report.step('the video is imported', () => imported(client, media, VIDEO, init))
  await report.check('its preview can be downloaded', () => previewed(client, media, init))
  const playlist = await report.step('its stream is made', () => streamed(client, media, init))
  await report.check('the stream leads to a segment', () => plays(playlist, init))
  await report.check('the player has its page', () => showsPlayer(playerUrl, init))
  await report.check('the video removed, its stream answers 404', () => unstreamed(client, { folder, media, playlist }, init))
}

async function downloads(url: string, bytes: Uint8Array, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init)
  const downloaded = await answer.bytes()
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}, ${new TextDecoder().decode(downloaded.slice(0, 300))}`)
  if (!Buffer.from(bytes).equals(downloaded))
    throw new Error(`${downloaded.length} bytes came instead of the ${bytes.length} that were sent`)
}

/**
 * Removes all files from their only folder, which deletes them, and waits until a job has deleted their objects. Every request has a time
 * limit, because a host may never answer.
 */
async function removeFiles(
  client: Client,
  { table, openMedia }: Target['library'],
  { folder, companyId }: { folder: number; companyId: CompanyId },
): Promise<void> {
  const deadline = performance.now() + LONGEST_REMOVAL
  const ids = await Array.fromAsync(mediaIn({ table }, contentsOf({ folderId: toFolderId(folder) })))
  const media = await openMedia()
  for (const id of ids) {
    for (;;) {
      const { status } = await client['remove-media']({
        params: { id, folderId: folder },
        init: { signal: AbortSignal.timeout(LONGEST_REMOVAL) },
      })
      const { objects } = await media.list(objectKeys.prefix({ companyId, mediaId: id }))
      if ((status === 200 || status === 404) && objects.length === 0) break
      if (performance.now() > deadline)
        throw new Error(`${objects.length} objects of file ${id} are stored, and removing it is answered with ${status}`)
      await pause(500)
    }
  }
}
