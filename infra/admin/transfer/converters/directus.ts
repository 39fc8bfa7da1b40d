import * as z from 'zod'
import { type DescribedFile, listed } from './described-file.ts'

const Text = z.string().nullish()

const Folder = z.object({ id: z.string(), name: z.string(), parent: Text })

const File = z.object({
  id: z.string(),
  filename_disk: z.string(),
  filename_download: Text,
  title: Text,
  description: Text,
  folder: Text,
  /** A list in answers of the API; text in which it is written as JSON, or with commas, in exports of the table. */
  tags: z.union([z.array(z.string()), z.string()]).nullish(),
  created_on: Text,
  uploaded_on: Text,
})

/**
 * Files of Directus. Storage has each under `filename_disk`.
 * @param texts JSON of `directus_files`, and of `directus_folders` where there are folders, as `GET /files` and `GET /folders` answer
 * @throws Error in a sentence
 */
export function filesOfDirectus(texts: readonly string[]): DescribedFile[] {
  const items = texts.flatMap((text) => listed(text, 'data', z.union([File, Folder])))
  const folders = new Map(items.flatMap((item) => ('name' in item ? [[item.id, item] as const] : [])))
  const namesOf = (id: string | null | undefined, above = 0): string[] => {
    const folder = folders.get(id ?? '')
    if (id && (!folder || above > folders.size)) throw new Error(`it has no folder ${id}: name the file of folders, too.`)
    return folder ? [...namesOf(folder.parent, above + 1), folder.name] : []
  }
  return items.flatMap((item) => {
    if (!('filename_disk' in item)) return []
    const { id, filename_disk: path, title, filename_download, description, folder, tags, created_on, uploaded_on } = item
    const created = uploaded_on ?? created_on ?? undefined
    return {
      path,
      folders: namesOf(folder),
      title: title || filename_download,
      description,
      keywords: wordsOf(tags),
      created,
      sourceId: id,
    }
  })
}

function wordsOf(tags: readonly string[] | string | null | undefined): readonly string[] {
  if (typeof tags !== 'string') return tags ?? []
  return tags.startsWith('[') ? z.array(z.string()).parse(JSON.parse(tags)) : tags.split(',')
}
