import type { Clock } from '../../../../shared/backends/clock/port.ts'
import type { SourceSlots } from '../../../../shared/library/concurrency/source-slots.ts'
import type { Turns } from '../../../../shared/library/concurrency/turns.ts'
import { Busy } from '../../../../shared/library/errors.ts'
import { type LinkAnswer, untilPrepared, type WantedLink } from '../../../../shared/library/links/render-link.ts'
import type { PictureCache } from './picture-cache.ts'
import { type KeptPicture, LARGEST_IN_MEMORY, type Picture } from './picture-file.ts'

/** A link and its transformation. */
export type WantedPicture = Omit<WantedLink, 'isKnown'>

/** A picture of a link, or `copy`: the file is no picture. */
export type FoundPicture = { kept: KeptPicture } | { rendered: Picture | KeptPicture } | 'copy'

/** Who asks for a picture. */
export interface PictureClient {
  /** The narrowest network of its address. */
  source: string
  /** Aborted when it leaves. */
  left: AbortSignal
}

export interface LinkPicturesSettings<Wanted> {
  clock: Clock
  cache: Pick<PictureCache, 'get' | 'put'>
  /** Of renders, by link. */
  turns: Turns
  /** Of renders, by the source that asked for them first. */
  slots: SourceSlots
  render(wanted: Wanted): Promise<LinkAnswer>
}

/** A picture that is being found. */
interface Finding {
  found: Promise<FoundPicture>
  /** How many wait for it. */
  clients: number
  isRendering: boolean
  abandoned: AbortController
}

/** Seconds after which who asked for too many pictures may come again. */
const RETRY_AFTER = 1

/**
 * Pictures of links: from the cache, or rendered once for all who wait for the same one. Links take turns, so one link with very many sizes
 * keeps no other one waiting. A render that has not begun when the last of its clients leaves is dropped.
 */
export class LinkPictures<Wanted extends Pick<WantedLink, 'linkId'> = WantedPicture> {
  readonly #settings: LinkPicturesSettings<Wanted>
  readonly #findings = new Map<string, Finding>()

  constructor(settings: LinkPicturesSettings<Wanted>) {
    this.#settings = settings
  }

  /** @param etag of the picture. @throws what `render` throws; Busy when too many renders wait; an AbortError when all clients have left */
  async find(wanted: Wanted, etag: string, client: PictureClient): Promise<FoundPicture> {
    client.left.throwIfAborted()
    const finding = this.#findings.get(etag) ?? this.#begin(wanted, etag, client.source)
    const leave = () => {
      finding.clients -= 1
      this.#dropUnwanted(finding, etag)
    }
    finding.clients += 1
    client.left.addEventListener('abort', leave)
    try {
      return await finding.found
    } finally {
      client.left.removeEventListener('abort', leave)
    }
  }

  #begin(wanted: Wanted, etag: string, source: string): Finding {
    const { promise: found, resolve } = Promise.withResolvers<FoundPicture>()
    const finding: Finding = { found, clients: 0, isRendering: false, abandoned: new AbortController() }
    this.#findings.set(etag, finding)
    resolve(this.#find(wanted, etag, finding, source).finally(() => this.#forget(finding, etag)))
    return finding
  }

  #dropUnwanted(finding: Finding, etag: string): void {
    if (finding.clients > 0 || finding.isRendering) return
    this.#forget(finding, etag)
    finding.abandoned.abort()
  }

  #forget(finding: Finding, etag: string): void {
    if (this.#findings.get(etag) === finding) this.#findings.delete(etag)
  }

  async #find(wanted: Wanted, etag: string, finding: Finding, source: string): Promise<FoundPicture> {
    const { clock, cache, turns, slots, render } = this.#settings
    const kept = await cache.get(etag)
    if (kept) return { kept }
    const rendering = async (): Promise<FoundPicture> => {
      finding.isRendering = true
      try {
        const answer = await render(wanted)
        if (answer.status !== 'picture') return 'copy'
        // Its tag may be another one: that of what the link shows since it was replaced meanwhile.
        return { rendered: await this.#keep({ etag: answer.etag, ...answer.picture }) }
      } finally {
        finding.isRendering = false
        this.#dropUnwanted(finding, etag)
      }
    }
    if (!slots.take(source)) throw new Busy(RETRY_AFTER)
    try {
      const { signal } = finding.abandoned
      // Who waits for a source gives up the turn meanwhile.
      return await untilPrepared(clock, () => turns.take(wanted.linkId, rendering, signal), signal)
    } finally {
      slots.release(source)
    }
  }

  /** @returns the picture; a large one as the disk has it, because many slow clients must not hold as many in memory */
  async #keep(rendered: Picture): Promise<Picture | KeptPicture> {
    const { cache } = this.#settings
    const stored = cache.put(rendered)
    if (rendered.data.length <= LARGEST_IN_MEMORY) return rendered
    await stored
    return (await cache.get(rendered.etag)) ?? rendered
  }
}
