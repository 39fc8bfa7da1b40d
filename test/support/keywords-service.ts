import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Suggestion } from '../../shared/vocabulary/suggestion.ts'
import { listening } from './listening.ts'

/** A service of an operator's that suggests keywords, as shared/backends/remote/openapi.json describes it. */
export interface KeywordsService {
  /** For `KEYWORDS_URL`. */
  url: string
  /** What it suggests for every picture from now on. */
  suggests: Suggestion[]
  /** Whether it answers 503. */
  isDown: boolean
  /** Sizes of the pictures that it looked at: `1200x800`. */
  readonly seen: readonly string[]
  stop(): Promise<void>
}

/** It takes pictures of sides from 80 pixels, as JPEG and PNG. */
export async function startKeywordsService(): Promise<KeywordsService> {
  const seen: string[] = []
  const service: KeywordsService = {
    url: '',
    suggests: [{ keyword: 'Harbour', confidence: 97 }],
    isDown: false,
    seen,
    stop: async () => undefined,
  }

  async function answer({ method, url, headers }: IncomingMessage, picture: Buffer): Promise<[status: number, body: object]> {
    if (service.isDown) return [503, { title: 'down' }]
    if (method !== 'POST' || url !== '/v1/keywords') return [404, { title: 'no such operation' }]
    const { format, width, height } = await sharp(picture)
      .metadata()
      .catch(() => ({ format: undefined, width: 0, height: 0 }))
    const isLabelled = headers['content-type'] === `image/${format}`
    if ((format !== 'jpeg' && format !== 'png') || !isLabelled) return [415, { title: 'no picture' }]
    if (Math.min(width, height) < 80) return [422, { title: 'too small' }]
    seen.push(`${width}x${height}`)
    return [200, { keywords: service.suggests }]
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await answer(request, await buffer(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const { url, stop } = await listening(createServer((request, response) => void serve(request, response)))
  return Object.assign(service, { url: `${url}/v1`, stop })
}
