import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { readManifest } from '../../shared/library/links/manifest.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { isForPyramid } from '../../shared/tools/imaging/pyramid.ts'
import { toLinkId } from '../../shared/vocabulary/ids.ts'
import { importsIn } from './imports.ts'
import { untilIdle } from './processes.ts'
import type { ServiceProcess } from './service-process.ts'
import { upload } from './upload-order.ts'

/** Uploads files and waits until they are imported. @returns their ids, in the order of the paths */
export async function importedFiles({ baseUrl, demo, directory, signIn }: ServiceProcess, paths: readonly string[]): Promise<number[]> {
  const to = { baseUrl, authorization: await signIn(), folderId: demo.folder_id }
  const sources = paths.map((path) => ({ path }))
  // One after the other, so that ids come in the order of the paths.
  const until = { uploads: paths.length }
  const { mediaIds } = await upload({ to, sources, parallel: 1, until })
  using imports = importsIn(directory)
  await imports.untilFinished(mediaIds)
  return mediaIds
}

/** The CDN folder of the demo company. */
export async function cdnFolder(service: ServiceProcess): Promise<number> {
  const client = await service.client()
  const { body } = await client['list-cdn-aliases']({ params: { company: service.demo.company_id } })
  return Number(body.aliases[0]!.folder_id)
}

/** Imports files, publishes them, and waits until their masters are there. @returns their links, in the order of the paths */
export async function publishedFiles(service: ServiceProcess, paths: readonly string[]): Promise<string[]> {
  const client = await service.client()
  const [mediaIds, folderId] = [await importedFiles(service, paths), await cdnFolder(service)]
  const links: string[] = []
  for (const id of mediaIds) {
    const { status } = await client['copy-media']({ params: { id, folderId } })
    if (status !== 200) throw new Error(`copying into the CDN folder was answered with ${status}`)
  }
  for (const id of mediaIds) links.push(await linkOf(service, id))
  await untilMastersOf(service, links)
  await untilIdle(service.pid)
  return links
}

/** Looks into the public bucket, without asking the server. */
async function untilMastersOf({ directory }: ServiceProcess, links: readonly string[]): Promise<void> {
  const publicFiles = openEmbeddedObjects(embeddedLayout(directory).public, systemClock)
  for (const link of links) {
    const [alias, id] = new URL(link).pathname
      .replace(/\.\w+$/, '')
      .split('/')
      .slice(-2)
    const linkId = toLinkId(id!)
    const { stream } = await publicFiles.get(publicKeys.manifest({ alias: alias!, linkId }))
    const manifest = readManifest(Buffer.concat(await stream.toArray()))
    const { master, width, height } = manifest
    // The last that is stored.
    const hasPyramid = isForPyramid({ width: width ?? 0, height: height ?? 0 })
    const needed = (hasPyramid ? publicKeys.pyramid : publicKeys.smallMaster)(linkId, manifest)
    while (master && !(await publicFiles.head(needed))) await sleep(100)
  }
  publicFiles.close()
}

async function linkOf(service: ServiceProcess, id: number): Promise<string> {
  const client = await service.client()
  for (;;) {
    const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: 'cdn_urls' } })
    const [link] = body.response.media[0]?.cdn_urls ?? []
    if (link !== undefined) return link
    await sleep(100)
  }
}
