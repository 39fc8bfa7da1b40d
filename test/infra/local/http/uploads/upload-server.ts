import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uploadFormListener } from '../../../../../infra/local/http/uploads/form-listener.ts'
import { PACE } from '../../../../../infra/local/http/uploads/pace.ts'
import { systemClock } from '../../../../../shared/backends/clock/port.ts'
import { type EmbeddedUploads, embeddedUploadForms } from '../../../../../shared/backends/objects/embedded-upload-form.ts'
import { temporaryObjects } from '../../../../backends/objects/temporary-objects.ts'

export type UploadServer = Awaited<ReturnType<typeof uploadServer>>

/** An embedded bucket behind a server that takes its forms. @param pace that posts have to keep */
export async function uploadServer(pace = PACE) {
  const { objects, directory, close } = await temporaryObjects()
  const clock = { ...systemClock, now: () => 1_700_000_000_000 }
  const failures: unknown[] = []
  const uploads: EmbeddedUploads = { bucket: 'uploads', secrets: async () => ['a secret of this test', 'the one before'], clock }
  const server = createServer(
    uploadFormListener({
      ...uploads,
      objects,
      pace,
      enter: () => () => undefined,
      refusalOf: async () => undefined,
      isDiskFull: () => false,
      onFailure: (error) => failures.push(error),
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    bucket: 'uploads',
    forms: embeddedUploadForms({ ...uploads, actionUrl: `http://127.0.0.1:${port}/uploads` }),
    objects,
    directory,
    server,
    port,
    failures,
    now: clock.now,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
      await close()
    },
  }
}
