import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { withFreshId } from '../../shared/library/fresh-id.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { mediaCreation } from '../../shared/library/media/changes.ts'
import { editMetadata } from '../../shared/library/media/edit.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { fileCreation } from '../../shared/library/media/importing.ts'
import type { AvailableMedia, EditableMetadata } from '../../shared/library/media/media.ts'
import { pointerCreation } from '../../shared/library/media/pointers.ts'
import { openCatalogue } from '../../shared/library/stock/catalogue.ts'
import { contentsOf } from '../../shared/library/tree/folder.ts'
import { CATALOGUE, type CompanyId, type MediaId, NOBODY, toMediaId } from '../../shared/library/vocabulary/ids.ts'
import type { Accounts } from './accounts.ts'
import { images } from './pictures/index.ts'
import type { Service } from './service.ts'
import { postForm } from './uploading.ts'

type Described = Partial<Pick<EditableMetadata, 'title' | 'description' | 'keywords'>>

/** What a test says of an item. */
export interface GivenItem extends Described {
  /** Without it the item has none. */
  file?: { bytes: Uint8Array; filename: string }
}

/** A harbour in three languages. No word of one language is one of another. */
export const harbour = {
  title: { en: 'Fishing harbour', da: 'Fiskerihavn', de: 'Fischereihafen' },
  description: { en: 'Boats at the quay', da: 'Både ved kajen', de: 'Boote am Anleger' },
  keywords: { en: ['harbour', 'boat'], da: ['havn', 'båd'], de: ['Hafen', 'Schiff'] },
} as const satisfies Described

const LONGEST_IMPORT_MS = 60_000

/** Puts items into the stock catalogue of a service, here or in a stack, and says who may use it. */
export function stockItems(service: Service, { library, table }: Pick<Accounts, 'library' | 'table'>) {
  const identity = { companyId: CATALOGUE, uploadedBy: NOBODY }

  /** Stores bytes among the uploads: the form is the one way that a service elsewhere has, too. @returns key of the object */
  async function stored({ bytes, filename }: NonNullable<GivenItem['file']>): Promise<string> {
    const client = await service.client()
    const { body } = await client['register-upload']({ body: { folder: service.demo.folder_id } })
    const posted = await postForm(body, bytes, filename)
    return new URL(posted.headers.get('location')!).searchParams.get('key')!
  }

  async function imported(mediaId: MediaId): Promise<void> {
    for (const end = performance.now() + LONGEST_IMPORT_MS; (await getMedia(library, mediaId))?.state !== 'available'; ) {
      if (performance.now() > end) throw new Error(`importing the item ${mediaId} took too long`)
      await sleep(50)
    }
  }

  async function itemWithFile(file: NonNullable<GivenItem['file']>, described: Described): Promise<MediaId> {
    const [folder, uploadKey] = [await openCatalogue(library), await stored(file)]
    const mediaId = await withFreshId(async (fresh: MediaId) => {
      const { filename } = file
      await table.transact(fileCreation(library, { ...identity, mediaId: fresh, filename, uploadKey }, folder))
      return fresh
    })
    await imported(mediaId)
    await editMetadata(library, [mediaId], () => described)
    return mediaId
  }

  async function itemWithoutFile(described: Described): Promise<MediaId> {
    const folder = await openCatalogue(library)
    return withFreshId(async (mediaId: MediaId) => {
      const now = library.clock.now()
      const media = {
        ...{ ...identity, ...nothingKnown, ...described, mediaId, folders: [contentsOf(folder)], created: now, modified: now },
        ...feedPosition({ ...identity, mediaId }, now),
      }
      await table.transact({ claim: mediaCreation(library, media), pointer: pointerCreation(library, media, folder) })
      return mediaId
    })
  }

  return {
    /** Makes an item, and waits until it is there. @returns its media id */
    async item({ file, ...described }: GivenItem): Promise<number> {
      return file ? itemWithFile(file, described) : itemWithoutFile(described)
    },
    /** A JPEG with words in three languages. */
    async harbour(): Promise<number> {
      return itemWithFile({ bytes: await images['plain.jpg'](), filename: 'harbour.jpg' }, harbour)
    },
    /** Lets a company use the stock library, or no longer. */
    allow: (companyId: CompanyId, stock = true) => setStock(library, companyId, stock),
    /** The item as it is stored. */
    record: (id: number) => getMedia(library, toMediaId(id)),
  }
}

export const nothingKnown = {
  ...{ state: 'available', progress: 100, uploadKey: '', filename: `item-${randomUUID()}`, renditions: {} },
  ...{ kind: 'generic', mime: 'application/octet-stream', extension: '', md5: '', crc32: 0, bytes: 0, width: null, height: null },
  ...{ iptc: null, geolocation: null, cameraCreated: null, suggestedKeywords: [] },
  ...{ title: {}, description: {}, keywords: {}, byline: null, copyright: null, expires: null, editorial: false, adultContent: false },
} as const satisfies Partial<AvailableMedia>
