import sharp from 'sharp'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { imported, upload } from '../support/uploading.ts'

type Client = ApiClient<typeof endpoints>

/** A picture that looks like no other: a gradient between two colours. @param seed chooses them */
export function picture(seed: number, { width = 300, height = 200 } = {}): Promise<Buffer> {
  const hue = (seed * 67) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue},70%,60%)"/><stop offset="1" stop-color="hsl(${hue + 80},60%,30%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="${40 + ((seed * 53) % (width - 80))}" cy="${height / 3}" r="30" fill="#fff8"/></svg>`
  return sharp(Buffer.from(svg)).jpeg().toBuffer()
}

/** Uploads pictures into a folder, in this order, and waits until all are imported. @returns their ids */
export async function fill(
  client: Client,
  folder: number,
  names: readonly string[],
  shape?: { width: number; height: number },
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, name] of names.entries()) ids.push(await upload(client, folder, await picture(index + names.length, shape), name))
  for (const id of ids) await imported(client, id)
  return ids
}
