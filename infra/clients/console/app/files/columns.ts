import { bytes, day, dayOf } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'
import type { Column } from '../preferences.svelte.ts'
import type { FoundFile } from './calls.ts'
import { folderNames } from './folder-names.svelte.ts'
import { kindText } from './kind.ts'
import type { Order } from './order.ts'
import { nameOf } from './tile-name.ts'

interface ColumnOf {
  label(): string
  /** The order of files by it. */
  order: Order
  /** Pixels that it needs, and its share of those that are left. */
  width: number
  share: number
  show(file: FoundFile): string
}

/** What the columns of a list show. */
export const columnOf: Record<Column, ColumnOf> = {
  name: { label: () => text.name, order: 'filename', width: 180, share: 4, show: nameOf },
  size: { label: () => text.size, order: 'size', width: 66, share: 0, show: ({ file_disksize: size }) => bytes(size ?? 0) },
  kind: {
    label: () => text.kind,
    order: 'kind',
    width: 84,
    share: 1,
    show: ({ file_mimetype: mime, filename }) => kindText(mime ?? '', filename),
  },
  taken: {
    label: () => text.taken,
    order: 'camera_created',
    width: 92,
    share: 0,
    show: ({ camera_created: seconds }) => (typeof seconds === 'number' ? day(new Date(seconds * 1000).toISOString().slice(0, 10)) : ''),
  },
  uploaded: {
    label: () => text.uploaded,
    order: 'created',
    width: 92,
    share: 0,
    show: ({ created }) => (created ? day(dayOf(created)) : ''),
  },
  byline: { label: () => text.byline, order: 'byline', width: 76, share: 2, show: ({ byline }) => byline ?? '' },
  folder: { label: () => text.folder, order: 'folder', width: 76, share: 2, show: ({ folder_ids: ids }) => folderNames.first(ids ?? []) },
  expires: {
    label: () => text.expiresColumn,
    order: 'expiration_date',
    width: 92,
    share: 0,
    show: ({ expiration_date: last }) => (last ? day(last) : ''),
  },
}

/** Pixels between columns, and beside all of them. */
const GAP = 12
const BESIDE = 16

/** Those of the chosen columns that find room: the name, that by which files are in order, then the others as they follow. */
export function fitting(chosen: readonly Column[], width: number, sorted: Column | undefined): readonly Column[] {
  let left = width - BESIDE + GAP
  const fits = new Set<Column>()
  const byNeed = [...chosen].sort((a, b) => need(a, sorted) - need(b, sorted))
  for (const column of byNeed) {
    left -= columnOf[column].width + GAP
    if (left >= 0 || column === 'name') fits.add(column)
    else break
  }
  return chosen.filter((column) => fits.has(column))
}

const need = (column: Column, sorted: Column | undefined): number => (column === 'name' ? 0 : column === sorted ? 1 : 2)

/** Their widths as a grid takes them. */
export const tracksOf = (shown: readonly Column[]): string => shown.map((column) => trackOf(columnOf[column])).join(' ')

const trackOf = ({ width, share }: ColumnOf): string => (share > 0 ? `minmax(${width}px, ${share}fr)` : `${width}px`)
