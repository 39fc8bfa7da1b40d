import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { openBrowser, withBrowser } from './browser.ts'
import { startService } from './service.ts'

/** A service and a browser, for all tests of the file or suite that calls this. @param environment settings as for `npm start` */
export async function serviceWithBrowser(environment?: Record<string, string>) {
  const service = await startService(environment)
  const client = await service.client()
  // Where there is no browser, all tests are skipped.
  const browser = withBrowser.skip ? undefined : await openBrowser()
  afterAll(async () => {
    await browser?.close()
    await service.stop()
  })
  return {
    service,
    client,
    browser: browser as Browser,
    newFolder: async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id,
  }
}
