import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { focalPointEdit } from '../../shared/library/media/focal-point.ts'
import { FocalPoint, FocalPointInput } from './schema.ts'

export const setFocalPoint = endpoint({
  route: 'POST /media/{id}/focal_point',
  summary: 'Set the focal point of a picture: what cuts of it keep',
  description:
    'A point of the upright picture, in fractions of its width and height from the left and the top; `null` takes it away. More than three ' +
    'decimals are rounded. Links cut round it within 20 seconds. 400 (`not_a_picture`) for any other file. Needs WRITE on the file. Raises the ' +
    'version by one, unless the point is the same.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: FocalPointInput,
  returns: z
    .object({
      focal_point: FocalPoint,
      version: z
        .number()
        .int()
        .meta({ minimum: 1, examples: [3] }),
    })
    .meta({ id: 'FocalPointSet' }),
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { media } = await editOne(library, params.id, (current) => focalPointEdit(current, body))
    return { focal_point: media.focalPoint ?? null, version: media.version }
  },
})
