import { readFile } from 'node:fs/promises'
import { uploadAndImport } from '../support/uploading.ts'
import { largePhoto } from './large-photo.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** Megabytes of a photo, and milliseconds that its median may take. */
const photos = [
  { megabytes: 7, atMost: 60 },
  { megabytes: 60, atMost: 250 },
]

/** Rounds before those that count: they start ExifTool, and compile what is used. */
const WARM_UP = 5

/** Downloads right after an edit, over HTTP: from the request for a URL to the first byte of the file that carries the edit. */
export async function run({ rounds = 31 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const client = await service.client()
  const rows: Row[] = []
  for (const { megabytes, atMost } of photos) {
    const media = await uploadAndImport(client, service.demo.folder_id, await readFile(await largePhoto(megabytes)), `${megabytes}.jpg`)
    const params = { id: Number(media.id) }
    let edits = 0
    const edit = () => client['set-title']({ params, body: { en: `Edit ${edits++}` } })
    const download = async () => {
      const { status, body } = await client['get-download-location']({ params })
      if (status !== 200 || body.metadata_written === false) throw new Error(`${status} ${JSON.stringify(body)}`)
      const reader = (await fetch(body.url)).body!.getReader()
      await reader.read()
      await reader.cancel()
    }
    await timed(WARM_UP, download, edit)
    const value = percentile(await timed(rounds, download, edit), 0.5)
    rows.push({ what: `download of ${megabytes} MB after an edit, request to first byte, p50`, value, unit: 'ms', atMost })
  }
  return rows
}
