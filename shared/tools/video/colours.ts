/** The colours of a video's first frame, in ffmpeg's names, and its stored size in pixels. */
export interface FrameColours {
  matrix: string
  primaries: string
  transfer: string
  width: number
  height: number
}

/** HDR transfers with their peak brightness in cd/m²: HLG (ITU-R BT.2100) and PQ (SMPTE ST 2084). */
const hdrPeaks: { [transfer: string]: number } = { 'arib-std-b67': 1_000, smpte2084: 10_000 }

/** HDR's reference white in cd/m² (ITU-R BT.2408, table 1): what ordinary video shows as white. */
const REFERENCE_WHITE = 203

/** Names of frames' matrices in the filter `scale`. */
const matrices: { [label: string]: string } = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

/** Primaries that are converted. All others count as BT.709. */
const convertedPrimaries = ['bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'film', 'bt2020', 'smpte431', 'smpte432', 'ebu3213']

const BT709 = 'color_primaries=bt709:color_trc=bt709:colorspace=bt709'

/**
 * ffmpeg's filters that scale frames and convert them to BT.709 with 8 bits and narrow range, with labels. All outputs have these colours,
 * because not all players read labels, and pictures have none.
 * @param scale the scaling filter with its size
 */
export function toBt709(scale: string, colours: FrameColours): string {
  const peak = hdrPeaks[colours.transfer]
  const filters = peak
    ? [`${scale}:in_color_matrix=bt2020:out_color_matrix=bt2020:out_range=tv`, toneMapping(colours.transfer, peak)]
    : [`${scale}:in_color_matrix=${matrixOf(colours)}:out_color_matrix=bt709:out_range=tv`, ...gamutMapping(colours)]
  return [...filters, 'format=yuv420p', `setparams=range=tv:${BT709}`].join(',')
}

/** Unlabelled frames of HD size count as BT.709, smaller ones as BT.601, like in players. */
function matrixOf({ matrix, width, height }: FrameColours): string {
  return matrices[matrix] ?? (width >= 1280 || height > 576 ? 'bt709' : 'bt601')
}

function gamutMapping({ primaries }: FrameColours): string[] {
  if (!convertedPrimaries.includes(primaries)) return []
  return ['format=yuv420p', `setparams=range=tv:color_primaries=${primaries}:color_trc=bt709:colorspace=bt709`, 'zscale=primaries=bt709']
}

/**
 * Labels frames first, because some HDR files only specify the transfer, which is always used with BT.2020. Light up to half of reference
 * white stays unchanged. Brighter light is compressed so that the signal's peak is white. The file's own peak is not used: it is often
 * missing or wrong, and films of one camera would look different. An 18 % grey card becomes 42 %, reference white 89 to 91 %.
 */
function toneMapping(transfer: string, peak: number): string {
  return [
    `format=yuv420p10le,setparams=range=tv:color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
    `zscale=t=linear:npl=${REFERENCE_WHITE},format=gbrpf32le,zscale=p=bt709`,
    `tonemap=mobius:param=0.5:peak=${(peak / REFERENCE_WHITE).toFixed(3)}:desat=0`,
    'zscale=t=bt709:m=bt709:r=tv',
  ].join(',')
}
