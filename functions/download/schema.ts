import * as z from 'zod'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { type LocatedDownload, unwrittenReasons } from '../../shared/library/downloads/download.ts'

/** Longest description of a download, in characters. */
const MAX_DOWNLOAD_INFO = 10_000

export const DownloadQuery = z.object({
  download_info: documentedAs(z.string().max(MAX_DOWNLOAD_INFO).refine(isJson, 'must be JSON'), {
    contentMediaType: 'application/json',
    examples: [{ purpose: 'annual report' }],
  })
    .optional()
    .describe(`JSON that describes the download, at most ${MAX_DOWNLOAD_INFO} characters`),
  user: UserIdText.optional().describe(
    'user whom an application attributes the download to: needed for items of the stock library, and a user of its company',
  ),
})

export const OriginalQuery = DownloadQuery.extend({
  original: z
    .enum(['0', '1'])
    .transform((value) => value === '1')
    .optional()
    .describe(
      '1: the file as it was uploaded, byte for byte. 0: with the metadata of the library, also where that breaks its Content Credentials (C2PA). Without it ' +
        'files that carry such are delivered as they were uploaded',
    ),
})

const DeliveryUrl = z
  .string()
  .meta({ format: 'uri', description: 'good for five minutes', examples: ['https://files.example.com/original/902114?Signature=MEUCIQD'] })

export const DownloadLocation = z
  .object({
    method: z.literal('GET'),
    url: DeliveryUrl,
    internal_elb_url: DeliveryUrl.describe('to be ignored'),
    metadata_written: z
      .literal(false)
      .optional()
      .describe(
        "where a JPEG, PNG or TIFF is delivered without the library's metadata, and where the original was asked for; otherwise absent",
      ),
    reason: z
      .enum(unwrittenReasons)
      .optional()
      .describe('why no metadata was written: it was not asked for, it would break Content Credentials, or the file can not be written'),
  })
  .meta({ id: 'DownloadLocation' })

export function downloadLocationJson({ url, metadataWritten, reason }: LocatedDownload): z.input<typeof DownloadLocation> {
  return { method: 'GET', url, internal_elb_url: url, ...(!metadataWritten && { metadata_written: false, reason }) }
}

/** The resources of functions that write metadata into downloads: ExifTool needs a whole processor, and room for two files of 100 MB. */
export const writing = {
  uses: { table: 'write', media: 'write', exiftool: 'use', urls: 'sign' },
  timeoutSeconds: 29,
  memoryMb: 1769,
} as const

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
