import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { accepted } from '../../shared/http/results.ts'
import { mediaJson } from '../../shared/library/media/document.ts'
import { findMedia } from '../../shared/library/media/find.ts'
import { isAvailable } from '../../shared/library/media/media.ts'
import { ImportProgress, Media } from './schema.ts'

export const getMedia = endpoint({
  route: 'GET /media/{id}',
  summary: 'Read a media document; 202 while it is being imported',
  description:
    'Needs READ on a folder that holds the file; whoever uploaded it may follow the import without. While the file is being ' +
    'imported it answers 202 with the progress in percent; `delayed` says that an operator has to look after it.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: Media,
  accepted: ImportProgress,
  async handle({ params, ...library }) {
    const { access, clock } = library
    const media = await findMedia(library, params.id)
    // Uploaders follow the import of their files, also with UPLOAD alone.
    const isUploader = access.caller.kind === 'user' && access.caller.user.userId === media.uploadedBy
    if (!(isUploader && (await access.isContained(media)))) await access.requireMedia('READ', media)
    if (!isAvailable(media))
      return accepted({ status: media.delayed ? ('delayed' as const) : ('importing' as const), progress: media.progress })
    return mediaJson(media, clock.now())
  },
})
