import type { MediaKind } from '../../vocabulary/media-kind.ts'

/** The type of a file by its bytes. */
export interface Sniffed {
  kind: MediaKind
  /** Lower case, without parameters. */
  mime: string
  /** Usual extension, without dot. */
  extension: string
}
