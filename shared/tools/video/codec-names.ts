/** The common names of codecs by their names in containers, in lower case. */
const names: { [id: string]: string } = {
  avc: 'h264',
  avc1: 'h264',
  x264: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  mp4v: 'mpeg4',
  fmp4: 'mpeg4',
  divx: 'mpeg4',
  dx50: 'mpeg4',
  xvid: 'mpeg4',
  'v_mpeg4/iso/asp': 'mpeg4',
  v_mpeg1: 'mpeg1video',
  v_mpeg2: 'mpeg2video',
  v_theora: 'theora',
  s263: 'h263',
  jpeg: 'mjpeg',
  mjpg: 'mjpeg',
  avdn: 'dnxhd',
  wvc1: 'vc1',
  'a_mpeg/l2': 'mp2',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
}

/** @returns the common name of a codec, else the container's; null if that is no valid name */
export function codecName(id: unknown): string | null {
  if (typeof id !== 'string') return null
  const own = id.trim().toLowerCase()
  return names[own] ?? (/^[a-z0-9][a-z0-9._-]{1,19}$/.test(own) ? own : null)
}
