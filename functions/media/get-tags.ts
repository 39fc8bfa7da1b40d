import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { readTags } from '../../shared/library/media/tags.ts'

const Tags = z.record(z.string(), z.unknown()).meta({
  id: 'Tags',
  description: 'as `exiftool -j -g -n` prints them, by family',
  examples: [{ EXIF: { ISO: 100 }, IPTC: { Headline: 'Harbour' } }],
})

export const getTags = endpoint({
  route: 'GET /media/{id}/tags',
  summary: 'Read the ExifTool tags of a file',
  description:
    'What ExifTool found in the original, as `exiftool -j -g -n` prints it: one object, grouped by family. Needs READ on a folder ' +
    'that holds the file.',
  access: 'user or application',
  uses: { table: 'read', media: 'read' },
  params: { id: MediaIdText },
  returns: Tags,
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    return readTags(library, params.id)
  },
})
