import { isDeepStrictEqual } from 'node:util'
import type { Point } from '../../vocabulary/point.ts'
import { Invalid } from '../errors.ts'
import type { AvailableMedia, EditableMetadata } from './media.ts'

/** Requires a picture: only pictures are cut. @throws Invalid `not_a_picture` */
export function requirePicture({ kind }: Pick<AvailableMedia, 'kind'>, path: string): void {
  if (kind !== 'image') throw new Invalid({ path, message: 'must be of a picture: the file is none' }, 'not_a_picture')
}

/** The edit that gives a picture its focal point, or takes it away. @returns undefined where it has that already @throws Invalid `not_a_picture` */
export function focalPointEdit(media: AvailableMedia, focalPoint: Point | null): Partial<EditableMetadata> | undefined {
  requirePicture(media, '')
  return isDeepStrictEqual(media.focalPoint ?? null, focalPoint) ? undefined : { focalPoint }
}
