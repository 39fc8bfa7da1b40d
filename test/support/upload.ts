import { setTimeout as sleep } from 'node:timers/promises'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/client.ts'

type Client = ApiClient<typeof endpoints>

/** Uploads a file in the three steps of the interface. @returns its media id, once finalized */
export async function uploadFile(
  client: Client,
  file: { folder: number; filename: string; bytes: Uint8Array<ArrayBuffer> },
): Promise<number> {
  const { status, body: form } = await client['register-upload']({ body: { folder: file.folder } })
  if (status !== 200) throw new Error(`register-upload answered ${status}: ${JSON.stringify(form)}`)
  const fields = new FormData()
  for (const field of form.fields) if (field.type !== 'file') fields.append(field.name, field.value)
  fields.append('file', new Blob([file.bytes]), file.filename)
  const response = await fetch(form.action, { method: form.method, body: fields })
  if (response.status !== 200) throw new Error(`the upload was answered with ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { media_id: number }).media_id
}

/** Waits until a file is imported. @returns its media document */
export async function untilAvailable(client: Client, mediaId: number) {
  for (;;) {
    const { status, body } = await client['get-media']({ params: { id: mediaId } })
    if (status === 200) return body
    if (status !== 202) throw new Error(`get-media answered ${status}: ${JSON.stringify(body)}`)
    await sleep(50)
  }
}
