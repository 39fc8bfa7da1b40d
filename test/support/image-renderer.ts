import { Readable } from 'node:stream'
import { renderImage } from '../../functions/events/render-image.ts'
import type { KnownObjects } from '../../shared/backends/objects/port.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import type { OriginRequest } from '../../shared/runtime/origin.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { openPublicFiles } from './published-link.ts'
import { TestClock } from './test-clock.ts'

/** The function that renders pictures of links, over a public bucket of its own. */
export async function openImageRenderer() {
  const library = await openPublicFiles()
  const logged: string[] = []
  const context = {
    clock: new TestClock().hasty,
    log: jsonLog((line) => logged.push(line)),
    settings: { ...defaultSettings, playerUrl: 'https://x', cdnUrl: 'https://x' },
  }
  return {
    ...library,
    logged,
    async answerTo(request: OriginRequest, publicFiles: KnownObjects = library.publicFiles) {
      const answer = await renderImage.handle({ request, ...context, ...library, publicFiles })
      const { body } = answer
      return { ...answer, body: body instanceof Readable ? Buffer.concat(await body.toArray()) : Buffer.from(body ?? '') }
    },
  }
}
