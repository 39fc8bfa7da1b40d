import type { Mail } from '../../backends/mail/port.ts'
import type { Settings } from '../../settings.ts'
import type { EncodingId, MediaId } from '../../vocabulary/ids.ts'
import { recipientOf, type Unmailed } from '../accounts/recipient.ts'
import { mailBrand } from '../brands/brand.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { type Paragraph, renderEmail } from '../mail/email.ts'
import { getMedia } from '../media/find.ts'
import type { MediaRecord } from '../media/media.ts'
import { streamUrl } from './objects.ts'
import { changeVideo, getVideo, isPending, type Stream, streamsOf } from './video.ts'

interface Mailing extends Writing {
  mail: Mail
  settings: Pick<Settings, 'brand' | 'cdnUrl' | 'playerUrl'>
}

/**
 * Mails a stream's requester its address, or its failure. Idempotent, unless the process died between sending and recording the mail.
 * @param encodingId the attempt that has ended; replaced attempts are ignored
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailStream(library: Mailing, mediaId: MediaId, encodingId: EncodingId): Promise<Unmailed | undefined> {
  const stream = await unmailedStream(library, mediaId, encodingId)
  const media = stream && (await getMedia(library, mediaId))
  if (!media) return undefined
  const { requester: userId, requestId } = stream
  const recipient = await recipientOf(library, userId)
  if (!recipient || 'reason' in recipient) return recipient
  const { to, fullname } = recipient
  const { subject, body } = stream.state === 'available' ? ready(library, media, stream) : failed(media)
  const paragraphs = [`Hello ${fullname},`, ...body]
  await library.mail.send(renderEmail({ to, subject, paragraphs, brand: await mailBrand(library, media.companyId), requestId }))
  await noteMailed(library, mediaId, encodingId)
  return undefined
}

/** The ended stream, unless its requester was mailed. */
async function unmailedStream(library: Writing, mediaId: MediaId, encodingId: EncodingId): Promise<Stream | undefined> {
  const video = await getVideo(library, mediaId)
  const stream = video && streamsOf(video).find((each) => each.encodingId === encodingId)
  return stream && !isPending(stream) && !stream.mailed ? stream : undefined
}

function noteMailed(library: Writing, mediaId: MediaId, encodingId: EncodingId): Promise<void> {
  return retryOnConflict(async () => {
    const video = await getVideo(library, mediaId)
    for (const name of ['stream', 'nextStream'] as const) {
      const stream = video?.[name]
      if (stream?.encodingId === encodingId) return void (await changeVideo(library, video!, { [name]: { ...stream, mailed: true } }))
    }
  })
}

interface Content {
  subject: string
  body: Paragraph[]
}

function ready({ settings }: Mailing, { mediaId, filename }: MediaRecord, { encodingId }: Stream): Content {
  const link = streamUrl(settings, encodingId)
  return {
    subject: `Your stream: ${filename}`,
    body: [
      `the stream of the video “${filename}” is ready.`,
      { text: 'Watch it', link: `${settings.playerUrl}/?v=${encodeURIComponent(link)}&media=${mediaId}` },
      { text: 'Its address for players (HLS)', link },
      'Everybody who has one of these addresses can watch the video.',
    ],
  }
}

function failed({ filename }: MediaRecord): Content {
  return {
    subject: `No stream: ${filename}`,
    body: [
      `the video “${filename}” could not be made into a stream. The file itself is unchanged.`,
      'Please check whether it plays from beginning to end. If it does not, upload it again. If it does, ask for the stream once more; should that fail, too, quote the request below to support.',
    ],
  }
}
