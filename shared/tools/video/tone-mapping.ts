/** How HDR encodes brightness, as ffmpeg names it: PQ and HLG. */
export const hdrTransfers = ['smpte2084', 'arib-std-b67'] as const
export type HdrTransfer = (typeof hdrTransfers)[number]

/**
 * ffmpeg's filters from HDR to BT.709, 8 bits. Frames are labelled first: of HDR's colours files tell the brightness alone, at times, and
 * there is one set of colours that it is used with. 203 cd/m² is HDR's white (ITU-R BT.2408).
 */
export function toneMapping(transfer: HdrTransfer): string {
  return [
    `format=yuv420p10le,setparams=range=tv:color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
    'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
  ].join(',')
}
