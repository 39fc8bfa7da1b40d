/** Kinds of files that look different. */
export type FileKind = 'picture' | 'vector' | 'film' | 'sound' | 'text' | 'table' | 'archive' | 'document' | 'other'

/** What tells the kind of a file. */
export interface Typed {
  media_type?: 'image' | 'vector' | 'video' | 'generic' | undefined
  file_mimetype?: string | undefined
  filename?: string | undefined
}

const byExtension: Readonly<Record<string, FileKind>> = Object.fromEntries(
  (
    [
      ['text', 'txt text log md'],
      ['table', 'csv tsv xls xlsx ods numbers'],
      ['archive', 'zip'],
      ['document', 'pdf doc docx odt rtf pages ppt pptx odp key indd'],
      ['vector', 'svg eps ai'],
      ['archive', 'rar 7z tar gz tgz'],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind])),
)

/** The kind of a file, by its media type and else by its name. */
export function kindOf({ media_type: type, file_mimetype: mime = '', filename = '' }: Typed): FileKind {
  if (type === 'image') return 'picture'
  if (type === 'vector') return 'vector'
  if (type === 'video') return 'film'
  if (mime.startsWith('audio/')) return 'sound'
  if (mime === 'text/csv') return 'table'
  if (mime === 'application/zip' || mime === 'application/x-zip-compressed') return 'archive'
  if (mime === 'application/pdf') return 'document'
  return byExtension[extensionOf(filename)] ?? (mime === 'text/plain' ? 'text' : 'other')
}

/** The end of a filename in lower case; empty where it has none. */
export const extensionOf = (filename: string): string => /\.([^.\s]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
