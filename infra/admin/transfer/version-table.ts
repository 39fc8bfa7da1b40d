/** The columns of the table of versions of an export. */
export const VERSION_COLUMNS = [
  'media_id',
  'number',
  'current',
  'state',
  'filename',
  'path',
  'md5',
  'bytes',
  'created',
  'uploaded_by',
  'comment',
  'pinned',
] as const

export type VersionColumn = (typeof VERSION_COLUMNS)[number]
