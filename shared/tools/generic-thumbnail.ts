/** Drawn in generic-thumbnail.svg; as text so that every bundle and runtime has it without reading files. */
const png = [
  'iVBORw0KGgoAAAANSUhEUgAAAF0AAAB3CAMAAABWmLyhAAAAzFBMVEVMaXGqsb+qsrurs7z///////+osL2rs7uosLupsr2ntbuvtsCnr7ivt8Gqsr6stL2q',
  'sr2qsruosryss7qrsr2qsr2qs72qsr2vtsGqs72yucOpsb2qsrv3+PrJ0Niqsr3k5+rf4+ji5enO1Nvp7O/DydHS193R1dzj5urByNDu8PPW2d/W2uDk5+vl',
  '6OvR1tyvt8Hs7vLp6u6xuMLJzta6wcra3+TIzdW9w8zR1t2ttcDV2d/V2uDw8fTv8fTw8vS2vcjU2d7U2N62vcf8zpp8AAAAHXRSTlMAJB49AgE+QETOJvwd',
  '/MEfxDwyJfbC9fT8yvxWV3fCzxEAAAAJcEhZcwAACxMAAAsTAQCanBgAAAFMSURBVGje7drZUsJAEIVhQAWUVdyX2IQAorjv+/r+72S8E52QPtOkKmWd/wG+',
  'Sk1Nei5mCgXG8lurXNW3g9lLbYFahPD1xlNP33vML+j1duM5AOrKG/D1LTkKMH040H/9nIxQPdTzFenC+jc/n52u5v10Le+pK3lfXcd76yreX9fwBl3BW/R0',
  '3qSn8jY9jTfqKTyqn8j9hB4eTBtpqH4oV6GeR/Xg+vJGz8P6xcPZ7en+RJ+JPKwH53eOo3x3Vnq89se/jvIPqcxOd2xT6tSpU6du0/vRnrqoj+oAHvP50rNd',
  'Ge5I6tQ5xTjFqFOnzinGKUad+r+eYj9/TU890o2VXOrZrgx3JHXq1KlTV+noGxRnI1l26yXw/YyzsdQTLli3tl+t+EutmXQ53FndHPdMPdY2iok32ytrYqxZ',
  'nPamoIS8F/tTuc4XdyzffQGJHDA37J/TQgAAAABJRU5ErkJggg==',
].join('')

/** The picture of files that have none of their own: a sheet of paper, 93 x 119 pixels. */
export function genericThumbnail(): { bytes: Buffer; mime: 'image/png'; width: 93; height: 119 } {
  return { bytes: Buffer.from(png, 'base64'), mime: 'image/png', width: 93, height: 119 }
}
