/** Thread that decodes one HEIC file (`workerData.path`) into a TIFF file (`workerData.into`) and ends. */
import { open, readFile } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import openLibheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs'
import { type HeicTask, heicProgress } from './heic-task.ts'
import { checkDecodedBytes, heicLimits, sampleBytes } from './limits.ts'
import { tiffHeader } from './tiff.ts'

const rgb = { colorspace: 1, chroma: 10, chromaWithAlpha: 11, channel: 10 }
// The ES module: the CommonJS one reads `__dirname`, which a bundle doesn't have.
const libheif = openLibheif()
const task = workerData as HeicTask
const { path, into } = task
const progress = new Uint8Array(task.progress)

/** Calls a function that returns `struct heif_error` through its first argument. */
function call(what: string, run: (error: number) => void): void {
  const error = libheif._malloc(12)
  run(error)
  const [code, subcode] = libheif.HEAPU32.subarray(error / 4)
  if (code !== 0) throw new Error(`libheif: ${what} failed (${code}.${subcode})`)
}

/** Calls a function that also writes a pointer to `out`. */
function pointer(what: string, run: (error: number, out: number) => void): number {
  const out = libheif._malloc(4)
  call(what, (error) => run(error, out))
  return libheif.HEAPU32[out / 4]!
}

progress[0] = heicProgress.started
const bytes = await readFile(path)
const data = libheif._malloc(bytes.length)
libheif.HEAPU8.set(bytes, data)
const context = libheif._heif_context_alloc()
// The limit is of pixels, given as the side of a square: it holds for what the stream itself declares, too.
libheif._heif_context_set_maximum_image_size_limit(context, Math.floor(Math.sqrt(heicLimits.pixels)))
call('reading', (error) => libheif._heif_context_read_from_memory_without_copy(error, context, data, bytes.length, 0))
const handle = pointer('finding the picture', (error, out) => libheif._heif_context_get_primary_image_handle(error, context, out))
if (libheif._heif_image_handle_get_width(handle) * libheif._heif_image_handle_get_height(handle) > heicLimits.pixels)
  throw new Error('too many pixels')

const alpha = libheif._heif_image_handle_has_alpha_channel(handle) !== 0
const chroma = alpha ? rgb.chromaWithAlpha : rgb.chroma
const image = pointer('decoding', (error, out) => libheif._heif_decode_image(error, handle, out, rgb.colorspace, chroma, 0))
const width = libheif._heif_image_get_width(image, rgb.channel)
const height = libheif._heif_image_get_height(image, rgb.channel)
const strideOut = libheif._malloc(4)
const plane = libheif._heif_image_get_plane_readonly(image, rgb.channel, strideOut)
const stride = libheif.HEAPU32[strideOut / 4]!
const samples = alpha ? 4 : 3
checkDecodedBytes(sampleBytes({ width, height, channels: samples, bits: 8 }))

const output = await open(into, 'w')
const stripBytes = new Float64Array(height).fill(width * samples)
const profile = colourProfile()
const layout = { width, height, bits: 8, colour: 'rgb', samples, alpha, compression: 'none', planar: false, stripBytes } as const
await output.writeFile(tiffHeader({ ...layout, ...(profile && { profile }) }))
const rowsAtOnce = Math.max(1, Math.floor(1_048_576 / (width * samples)))
for (let row = 0; row < height; row += rowsAtOnce) {
  const rows = Array.from({ length: Math.min(rowsAtOnce, height - row) }, (_, index) => {
    const start = plane + (row + index) * stride
    return libheif.HEAPU8.subarray(start, start + width * samples)
  })
  await output.writeFile(Buffer.concat(rows))
}
await output.close()
progress[0] = heicProgress.done

function colourProfile(): Uint8Array | undefined {
  const size = libheif._heif_image_handle_get_raw_color_profile_size(handle)
  if (size === 0) return undefined
  const profile = libheif._malloc(size)
  call('reading the colour profile', (error) => libheif._heif_image_handle_get_raw_color_profile(error, handle, profile))
  return libheif.HEAPU8.slice(profile, profile + size)
}
