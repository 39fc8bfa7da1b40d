import { api, dataOf } from '../api/client.ts'
import type { FoundFile } from '../files/calls.ts'
import { pictureOf } from '../files/picture-of.ts'
import type { Parameters } from '../files/query.ts'

/** Values of a file that its document doesn't have. */
const SHOWN = [
  'unique_media_id',
  'thumbnail_url',
  'poster_url',
  'folder_ids',
  'cdn_urls',
  'suggested_keywords',
  'folder_tags',
  'thumbhash',
  'file_number',
]

const MOST_KEPT = 50
/** The index follows a new version within a moment: how often it is asked for it, and how long after the time before, in milliseconds. */
const TRIES = 8
const PAUSE = 500

/** Large pictures of files, kept so that the next one is there when it is asked for. */
class Pictures {
  readonly #known = new Map<number, Promise<FoundFile | undefined>>()

  /**
   * @param folder where it is: files in the trash are found in no other way
   * @param version the number of its current version, where that is known
   */
  async of(id: number, folder: Parameters, version = 0): Promise<FoundFile | undefined> {
    for (let tries = 1; ; tries++) {
      const asked = this.#find(id, folder)
      const found = await asked
      if ((found?.file_number ?? version) >= version || tries === TRIES) return found
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE))
      // Others may have asked anew meanwhile.
      if (this.#known.get(id) === asked) this.#known.delete(id)
    }
  }

  #find(id: number, folder: Parameters): Promise<FoundFile | undefined> {
    const known = this.#known.get(id)
    if (known) return known
    const found = this.#ask(id, folder)
    this.#known.set(id, found)
    found.catch(() => this.#known.delete(id))
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KEPT && oldest) this.#known.delete(oldest)
    return found
  }

  /** Fetches the picture before it is shown. */
  preload(id: number | undefined, folder: Parameters): void {
    if (!id) return
    this.of(id, folder).then(
      (found) => {
        const address = found && pictureOf(found)
        if (address) new Image().src = address
      },
      () => undefined,
    )
  }

  async #ask(id: number, folder: Parameters): Promise<FoundFile | undefined> {
    const query = { ...folder, unique_media_id: String(id), return_values: SHOWN.join('+'), thumbnail_size: '1600px' }
    const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
    return response.media[0]
  }
}

export const pictures = new Pictures()
