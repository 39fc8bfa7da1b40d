import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EmbeddedUploads } from './embedded-upload-form.ts'
import type { PartUpload, PartUploads } from './port.ts'

/** What the URL of a part allows. */
export interface AllowedPart {
  upload: Pick<PartUpload, 'key' | 'id'>
  number: number
  /** Size of the part. */
  bytes: number
  /** UTC, milliseconds since the epoch. */
  expires: number
}

/** Signs URLs of the local server for parts. The signature covers everything in `AllowedPart`. */
export function embeddedPartRequests({
  partsUrl,
  secrets,
}: Pick<EmbeddedUploads, 'secrets'> & { partsUrl: string }): Pick<PartUploads, 'partRequest'> {
  return {
    async partRequest({ key, id }, { number, bytes, expires }) {
      const query = queryOf({ upload: { key, id }, number, bytes, expires })
      const [secret] = await secrets()
      query.set('signature', signatureOf(query, secret).toString('base64url'))
      return { url: `${partsUrl}?${query}`, headers: {} }
    },
  }
}

/** What the URL of a part allows; undefined for forged signatures. Doesn't check the expiry. */
export async function allowedPart(query: URLSearchParams, { secrets }: Pick<EmbeddedUploads, 'secrets'>): Promise<AllowedPart | undefined> {
  const text = (name: string) => query.get(name) ?? ''
  const allowed: AllowedPart = {
    upload: { key: text('key'), id: text('id') },
    number: Number(text('part')),
    bytes: Number(text('bytes')),
    expires: Number(text('expires')),
  }
  const given = Buffer.from(text('signature'), 'base64url')
  const matches = (secret: string) => {
    const expected = signatureOf(queryOf(allowed), secret)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  return (await secrets()).some(matches) ? allowed : undefined
}

function queryOf({ upload, number, bytes, expires }: AllowedPart): URLSearchParams {
  return new URLSearchParams({ key: upload.key, id: upload.id, part: `${number}`, bytes: `${bytes}`, expires: `${expires}` })
}

function signatureOf(query: URLSearchParams, secret: string): Buffer {
  return createHmac('sha256', secret).update(`part\n${query}`).digest()
}
