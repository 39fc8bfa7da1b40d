import { untilPrepared } from '../../../shared/library/publishing/patience.ts'
import { type LinkAnswer, linkTag, type WantedLink } from '../../../shared/library/publishing/render-link.ts'
import type { Turns } from '../../../shared/library/turns.ts'
import type { PictureCache } from './picture-cache.ts'
import { type KeptPicture, LARGEST_IN_MEMORY, type Picture } from './picture-file.ts'

/** A link and its transformation. */
export type WantedPicture = Omit<WantedLink, 'isKnown'>

/** A picture of a link, or `copy`: the file is no picture. */
export type FoundPicture = { kept: KeptPicture } | { rendered: Picture | KeptPicture } | 'copy'

export interface LinkPicturesSettings {
  cache: Pick<PictureCache, 'get' | 'put'>
  /** Of renders, by link. */
  turns: Turns
  render(wanted: WantedPicture): Promise<LinkAnswer>
}

/**
 * Pictures of links: from the cache, or rendered once for all who wait for the same one. Links take turns, so one link with very many sizes
 * keeps no other one waiting.
 */
export class LinkPictures {
  readonly #settings: LinkPicturesSettings
  readonly #running = new Map<string, Promise<FoundPicture>>()

  constructor(settings: LinkPicturesSettings) {
    this.#settings = settings
  }

  /** @param revision of the link. @throws what `render` throws; Busy when too many renders wait */
  find(wanted: WantedPicture, revision: number): Promise<FoundPicture> {
    const etag = linkTag(wanted.linkId, revision, wanted.query)
    const running = this.#running.get(etag)
    if (running) return running
    const finding = this.#find(wanted, etag).finally(() => this.#running.delete(etag))
    this.#running.set(etag, finding)
    return finding
  }

  async #find(wanted: WantedPicture, etag: string): Promise<FoundPicture> {
    const { cache, turns, render } = this.#settings
    const kept = await cache.get(etag)
    if (kept) return { kept }
    const rendering = async (): Promise<FoundPicture> => {
      const answer = await render(wanted)
      if (answer.status !== 'picture') return 'copy'
      // Its tag may be another one: that of what the link shows since it was replaced meanwhile.
      return { rendered: await this.#keep({ etag: answer.etag, ...answer.picture }) }
    }
    // Who waits for a source gives up the turn meanwhile.
    return await untilPrepared(() => turns.take(wanted.linkId, rendering))
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
