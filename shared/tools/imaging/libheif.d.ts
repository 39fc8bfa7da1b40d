/** The part of libheif's C interface that heic-worker.ts uses. Pointers and handles are numbers. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface Libheif {
    HEAPU8: Uint8Array
    HEAPU32: Uint32Array
    _malloc(bytes: number): number
    _heif_context_alloc(): number
    _heif_context_set_maximum_image_size_limit(context: number, side: number): void
    _heif_context_read_from_memory_without_copy(error: number, context: number, data: number, bytes: number, options: number): void
    _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void
    _heif_image_handle_get_width(handle: number): number
    _heif_image_handle_get_height(handle: number): number
    _heif_image_handle_has_alpha_channel(handle: number): number
    _heif_image_handle_get_raw_color_profile_size(handle: number): number
    _heif_image_handle_get_raw_color_profile(error: number, handle: number, profile: number): void
    _heif_decode_image(error: number, handle: number, image: number, colorspace: number, chroma: number, options: number): void
    _heif_image_get_width(image: number, channel: number): number
    _heif_image_get_height(image: number, channel: number): number
    _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number
  }
  /** Starts the WebAssembly that the module holds. */
  export default function openLibheif(): Libheif
}
