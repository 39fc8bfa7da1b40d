import type { Reading } from '../library.ts'
import { type Delivering, pictureUrl } from '../media/delivery.ts'
import { currentFile, type FormerFile, type Replacement } from '../media/files.ts'
import type { AvailableMedia, FileFacts, NextFile } from '../media/media.ts'
import { posterUrls } from '../videos/streams.ts'

/** A file that a media record has, had, or is to have. */
export type FileEntry = {
  /** null while it imports. */
  number: number | null
  current: boolean
  state: 'available' | 'importing' | 'failed'
  filename: string
  bytes: number
  /** null until the file is imported, and for one whose import failed. */
  facts: (Pick<FileFacts, 'mime' | 'width' | 'height'> & { md5: string | undefined }) | null
  /** UNIX milliseconds */
  created: number
  uploadedBy: number
  comment: string | null
  pinned: boolean
  /** URL of its picture. */
  preview: string | null
}

/** The entry of the current file. */
export async function currentEntry(library: Reading & Delivering, media: AvailableMedia): Promise<FileEntry> {
  const preview = media.kind === 'video' ? (await posterUrls(library, [media])).get(media.mediaId) : await renditionUrl(library, media)
  return { ...(await imported(currentFile(media), preview)), current: true }
}

/** The entry of a number that isn't current. Posters of former videos are gone. */
export async function formerEntry(library: Delivering, former: FormerFile): Promise<FileEntry> {
  if (former.state === 'available') return imported(former, await renditionUrl(library, former))
  return { ...said(former), number: former.fileNumber, current: false, state: 'failed', facts: null, preview: null }
}

/** The entry of a file that is being imported. */
export function replacementEntry({ filename, bytes, created, uploadedBy, comment }: Replacement): FileEntry {
  const nothingYet = { number: null, current: false, facts: null, pinned: false, preview: null }
  return { ...nothingYet, state: 'importing', filename, bytes, created, uploadedBy, comment: comment ?? null }
}

type Numbered = Pick<NextFile, 'filename' | 'bytes' | 'fileNumber' | 'fileCreated' | 'fileBy' | 'comment' | 'pinned'>

function imported(file: Numbered & FileFacts, preview: string | undefined): FileEntry {
  const { mime, md5, width, height } = file
  const facts = { mime, md5, width, height }
  return { ...said(file), number: file.fileNumber, current: false, state: 'available', facts, preview: preview ?? null }
}

const said = ({ filename, bytes, fileCreated, fileBy, comment, pinned = false }: Numbered) => {
  return { filename, bytes, created: fileCreated, uploadedBy: fileBy, comment: comment ?? null, pinned }
}

/** The picture of 800 pixels. */
async function renditionUrl(library: Delivering, { renditions }: Pick<FileFacts, 'renditions'>): Promise<string | undefined> {
  const rendition = renditions['800px']
  return rendition && pictureUrl(library, rendition.key)
}
