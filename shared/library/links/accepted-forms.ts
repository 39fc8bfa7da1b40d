import { mayMove } from '../../tools/imaging/moving-formats.ts'
import type { LinkManifest } from './manifest.ts'

/**
 * The query by which a link's picture is known. What moves is never AVIF, so who takes AVIF alone is shown another form of it than who takes WebP,
 * too. What doesn't move is AVIF for all who take that: one picture, where the edge function, which doesn't know the file, tells two apart. So a
 * picture has at most three forms.
 * @param query canonical, without a preset
 */
export function shownQuery(query: string, { mime }: Pick<LinkManifest, 'mime'>): string {
  return mayMove(mime) ? query : query.replace(/&accept=avif$/, '&accept=avif,webp')
}
