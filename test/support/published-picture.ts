import type { Service } from './service.ts'
import { until } from './until.ts'
import { uploadAndImport } from './uploading.ts'

/** A file with a link. */
export interface Published {
  id: number
  /** The link's address. */
  url: string
}

/** Publishes files of the demo's admin, as clients do: an upload, and a copy into the CDN folder. */
export async function publishing(service: Service) {
  const client = await service.client()
  const { folder_id, cdn_folder_id, company_id } = service.demo
  const folder = cdn_folder_id!
  const urlOf = async (id: number) => {
    const { body } = await client['search-media']({ query: { unique_media_id: String(id), return_values: 'cdn_urls' } })
    return body.response.media[0]?.cdn_urls?.[0]
  }
  const store = async (bytes: Buffer, name: string) => Number((await uploadAndImport(client, folder_id, bytes, name)).id)
  return {
    /** Uploads a file that has no link. @returns its id, once it is imported */
    store,
    /** Uploads a file and copies it into the CDN folder. @returns once its link can be fetched */
    async publish(bytes: Buffer, name: string): Promise<Published> {
      const id = await store(bytes, name)
      await client['copy-media']({ params: { id, folderId: folder } })
      return { id, url: await until(() => urlOf(id)) }
    },
    /** Puts a stored file in the place of a published one, whose link it takes. @returns once edges show it */
    async replace({ id }: Published, by: number): Promise<void> {
      const params = { company: company_id, folder }
      await client['replace-link']({ params: { ...params, old: id, new: by } })
      await until(async () => (await client['get-link']({ params: { ...params, media: by } })).body.state === 'active')
    },
  }
}
