import * as z from 'zod'
import { type DescribedFile, listed } from './described-file.ts'

const Resource = z.object({
  asset_id: z.string().optional(),
  public_id: z.string(),
  /** Raw files have none: their public id ends with it. */
  format: z.string().optional(),
  resource_type: z.string().optional(),
  /** Of product environments with dynamic folders; elsewhere the public id begins with the folder. */
  asset_folder: z.string().optional(),
  display_name: z.string().optional(),
  tags: z.array(z.string()).optional(),
  context: z.object({ custom: z.record(z.string(), z.string()).optional() }).optional(),
  created_at: z.string().optional(),
})

/**
 * Files of Cloudinary. Archives that keep folders have each under its public id with its format.
 * @param texts JSON of pages that the Admin API answers to `resources`, asked for with tags and context
 * @throws Error in a sentence
 */
export function filesOfCloudinary(texts: readonly string[]): DescribedFile[] {
  return texts
    .flatMap((text) => listed(text, 'resources', Resource))
    .map(({ asset_id, public_id, format, resource_type, asset_folder, display_name, tags, context, created_at }) => ({
      path: resource_type === 'raw' || !format ? public_id : `${public_id}.${format}`,
      folders: (asset_folder ?? public_id.split('/').slice(0, -1).join('/')).split('/').filter(Boolean),
      title: context?.custom?.caption ?? display_name,
      description: context?.custom?.alt,
      keywords: tags,
      created: created_at,
      sourceId: asset_id ?? public_id,
    }))
}
