import type { MediaKind } from '../../vocabulary/media-kind.ts'

/** What a file is by its bytes. */
export interface Sniffed {
  kind: MediaKind
  /** Lower case, without parameters. */
  mime: string
  /** Usual extension, without dot. */
  extension: string
}
