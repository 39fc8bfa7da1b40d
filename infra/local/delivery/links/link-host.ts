import { availableParallelism } from 'node:os'
import type { Clock } from '../../../../shared/backends/clock/port.ts'
import { SourceSlots } from '../../../../shared/library/concurrency/source-slots.ts'
import { Turns } from '../../../../shared/library/concurrency/turns.ts'
import { renderImage, type WantedImage } from '../../../../shared/library/links/iiif/render-image.ts'
import { type LinkRendering, renderLink } from '../../../../shared/library/links/render-link.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { KeptFiles } from '../../../../shared/tools/kept-files.ts'
import { AliasRules } from './alias-rules.ts'
import { openEdgeFunction } from './edge-function.ts'
import { answerIiif } from './iiif-answer.ts'
import type { LinkHost } from './link-answer.ts'
import { LinkPictures, type WantedPicture } from './link-pictures.ts'
import { Manifests } from './manifests.ts'
import { PictureCache } from './picture-cache.ts'
import { SmallCopies } from './small-copies.ts'

export interface LinkHostSettings {
  rendering: Omit<LinkRendering, 'sources'>
  /** The address of links, without trailing slash. */
  cdnUrl: string
  /** Directory for sources that pictures are rendered from. By default that for temporary files. */
  temporaryDirectory?: string
  /** Folder of the rendered pictures, and most bytes that they take there. */
  cache: { directory: string; maxBytes: number }
  clock: Clock
  log: Log
}

/** Bytes of sources that are kept. Most are there without a copy: they share the storage of the library's own files. */
const SOURCES = 256 * 1024 ** 2

/** Renders that may wait, of all links and of one. Those of one end within the patience of a client. */
const WAITING = { waiting: 1024, waitingPerSource: 256 }

/** Renders for the clients of one source. A page with more pictures asks for them over some connections, one after the other. */
const SLOTS = { total: Number.POSITIVE_INFINITY, perSource: 256 }

/** Opens what links are answered with. @returns it with how to close it */
export function openLinkHost({
  rendering: given,
  cdnUrl,
  temporaryDirectory,
  cache: kept,
  clock,
  log,
}: LinkHostSettings): LinkHost & { close(): Promise<void> } {
  const cache = new PictureCache({ ...kept, clock, log })
  const sources = new KeptFiles({ maxBytes: SOURCES, ...(temporaryDirectory !== undefined && { parent: temporaryDirectory }) })
  const processors = availableParallelism()
  // Sources are fetched while the renderer's processes are busy with those before.
  const atOnce = 2 * processors
  const turns = new Turns({ atOnce, atOncePerSource: atOnce, ...WAITING })
  const rendering = { ...given, sources }
  const { publicFiles } = rendering
  const manifests = new Manifests(publicFiles)
  const rules = new AliasRules(publicFiles)
  const shared = { clock, cache, turns, slots: new SourceSlots(SLOTS) }
  // Who has a picture already is answered before it is looked for.
  const render = (wanted: WantedPicture) => renderLink(rendering, { ...wanted, isKnown: () => false })
  const images = new LinkPictures({
    ...shared,
    render: (wanted: Omit<WantedImage, 'isKnown'>) => renderImage(rendering, { ...wanted, isKnown: () => false }),
  })
  const now = () => clock.now()
  return {
    edge: openEdgeFunction(),
    publicFiles,
    copies: new SmallCopies(publicFiles),
    manifests,
    rules,
    pictures: new LinkPictures({ ...shared, render }),
    iiif: (path, request) => answerIiif({ cdnUrl, manifests, rules, images, now }, path, request),
    now,
    async close() {
      await cache.close()
      await sources.close()
    },
  }
}
