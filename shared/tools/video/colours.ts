/** The colours of a video's first frame, in ffmpeg's words, and its stored size in pixels. */
export interface FrameColours {
  matrix: string
  primaries: string
  transfer: string
  width: number
  height: number
}

/** How HDR encodes brightness, and the brightest that it encodes, in cd/m²: HLG by ITU-R BT.2100, PQ by SMPTE ST 2084. */
const hdrPeaks: { [transfer: string]: number } = { 'arib-std-b67': 1_000, smpte2084: 10_000 }

/** HDR's reference white in cd/m² (ITU-R BT.2408, table 1): what ordinary video shows as white. */
const REFERENCE_WHITE = 203

/** Matrices that frames are labelled with, as the filter `scale` calls them. */
const matrices: { [label: string]: string } = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

/** Primaries that are converted. All others are taken for those of BT.709. */
const convertedPrimaries = ['bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'film', 'bt2020', 'smpte431', 'smpte432', 'ebu3213']

const BT709 = 'color_primaries=bt709:color_trc=bt709:colorspace=bt709'

/**
 * ffmpeg's filters that make frames of any colours ones of BT.709 with 8 bits and narrow range, scaled, and label them so. All that is made of
 * videos has these: not all players read labels, and pictures have none.
 * @param scale the scaling filter with its size
 */
export function toBt709(scale: string, colours: FrameColours): string {
  const peak = hdrPeaks[colours.transfer]
  const filters = peak
    ? [`${scale}:in_color_matrix=bt2020:out_color_matrix=bt2020:out_range=tv`, toneMapping(colours.transfer, peak)]
    : [`${scale}:in_color_matrix=${matrixOf(colours)}:out_color_matrix=bt709:out_range=tv`, ...gamutMapping(colours)]
  return [...filters, 'format=yuv420p', `setparams=range=tv:${BT709}`].join(',')
}

/** Sizes of HD have BT.709 where frames say nothing, and smaller ones BT.601, as players take them. */
function matrixOf({ matrix, width, height }: FrameColours): string {
  return matrices[matrix] ?? (width >= 1280 || height > 576 ? 'bt709' : 'bt601')
}

function gamutMapping({ primaries }: FrameColours): string[] {
  if (!convertedPrimaries.includes(primaries)) return []
  return ['format=yuv420p', `setparams=range=tv:color_primaries=${primaries}:color_trc=bt709:colorspace=bt709`, 'zscale=primaries=bt709']
}

/**
 * Frames are labelled first: of HDR's colours files tell the brightness alone, at times, and there is one set of colours that it is used with.
 * Light up to half of reference white stays as it is. Brighter light is compressed, so that the brightest that the signal can encode is white:
 * what files say of their brightest light is often missing or wrong, and would make films of one camera differ. A grey card of 18 % becomes
 * 42 %, reference white 89 to 91 %.
 */
function toneMapping(transfer: string, peak: number): string {
  return [
    `format=yuv420p10le,setparams=range=tv:color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
    `zscale=t=linear:npl=${REFERENCE_WHITE},format=gbrpf32le,zscale=p=bt709`,
    `tonemap=mobius:param=0.5:peak=${(peak / REFERENCE_WHITE).toFixed(3)}:desat=0`,
    'zscale=t=bt709:m=bt709:r=tv',
  ].join(',')
}
