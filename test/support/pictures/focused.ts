/** Pictures that say something in XMP: regions of the Metadata Working Group, and how they came about. */
import { u16 } from './bytes.ts'
import { withSegments } from './odd-jpegs.ts'

interface Described {
  x: number | string
  y: number | string
  type?: string
  unit?: string
  usage?: string
}

/** A region, as an item of XMP's list. */
export function focusRegion({ x, y, type = 'Focus', unit = 'normalized', usage }: Described): string {
  const said = [type && `mwg-rs:Type="${type}"`, usage && `mwg-rs:FocusUsage="${usage}"`].filter(Boolean).join(' ')
  return `<rdf:li><rdf:Description ${said}><mwg-rs:Area stArea:x="${x}" stArea:y="${y}" stArea:w="0.1" stArea:h="0.1" stArea:unit="${unit}"/></rdf:Description></rdf:li>`
}

/** A JPEG with these regions. */
export function focused(jpeg: Buffer, ...regions: string[]): Buffer {
  return withXmp(
    jpeg,
    `<rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#">
      <mwg-rs:Regions rdf:parseType="Resource">
        <mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="48" stDim:unit="pixel"/>
        <mwg-rs:RegionList><rdf:Bag>${regions.join('')}</rdf:Bag></mwg-rs:RegionList>
      </mwg-rs:Regions>
    </rdf:Description>`,
  )
}

/** A JPEG that says how it came about. @param type a name of IPTC's vocabulary of digital source types */
export function toldSource(jpeg: Buffer, type: string): Buffer {
  const address = `http://cv.iptc.org/newscodes/digitalsourcetype/${type}`
  const namespace = 'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"'
  return withXmp(jpeg, `<rdf:Description rdf:about="" ${namespace} Iptc4xmpExt:DigitalSourceType="${address}"/>`)
}

/** @param description what stands in RDF */
function withXmp(jpeg: Buffer, description: string): Buffer {
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`
  const content = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(packet)])
  return withSegments([Buffer.concat([Buffer.from([0xff, 0xe1]), u16(content.length + 2), content])], jpeg)
}
