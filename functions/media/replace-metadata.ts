import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { metadataJson } from '../../shared/library/media/document.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { requirePicture } from '../../shared/library/media/focal-point.ts'
import { byField } from '../../shared/vocabulary/editable-fields.ts'
import { Metadata, MetadataInput } from './schema.ts'

export const replaceMetadata = endpoint({
  route: 'POST /media/{id}/metadata',
  summary: 'Replace the metadata of a file',
  description:
    'Replaces the whole document: editable fields that are absent become empty. `iptc`, `geolocation` and `camera_created` may be ' +
    'sent back and are ignored; other fields are refused. `byline`, `copyright`, `expiration_date` and `focal_point`, which have endpoints of ' +
    'their own, may change in the same step. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: MetadataInput,
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: Metadata,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const edited = byField(body)
    const { media, readable } = await editOne(library, params.id, (current) => {
      if (edited.focalPoint) requirePicture(current, 'focal_point')
      return edited
    })
    // Only callers with READ learn what they did not send.
    return metadataJson(readable ? media : { ...media, iptc: null, geolocation: null, cameraCreated: null })
  },
})
