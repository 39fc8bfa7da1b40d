import { json } from 'node:stream/consumers'
import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { objectKeys } from '../../shared/library/media/media.ts'
import { MediaParams } from './schema.ts'

const Tags = z.record(z.string(), z.unknown()).describe('as `exiftool -j -g -n` prints them, by family')

export const getTags = endpoint({
  route: 'GET /media/{id}/tags',
  summary: 'Read the ExifTool tags of a file',
  access: 'user or application',
  uses: { table: 'read', media: 'read' },
  params: MediaParams,
  returns: Tags,
  async handle({ params, caller, table, media: objects }) {
    const media = await availableMediaWith('READ', table, new Access(table, caller), params.id)
    const { stream } = await objects.get(objectKeys.tags(media))
    return (await json(stream)) as z.input<typeof Tags>
  },
})
