import { XmlElement } from '@rgrove/parse-xml'

/** The child elements of an element. */
export const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter((child) => child instanceof XmlElement)

/**
 * Whether a name, as written in an element or its attributes, is a given name in a namespace. Ignores case, because ExifTool capitalises
 * names.
 */
export function isQualified(element: XmlElement, written: string, uri: string, name: string): boolean {
  const [prefix = '', local = ''] = written.split(':')
  return local.toLowerCase() === name.toLowerCase() && uriOf(element, prefix) === bare(uri)
}

/** Whether an element has a given name in a namespace. */
export const isNamed = (element: XmlElement, uri: string, name: string): boolean => isQualified(element, element.name, uri, name)

/** Whether a prefix is bound to a namespace at an element. */
export const leadsTo = (element: XmlElement, prefix: string, uri: string): boolean => uriOf(element, prefix) === bare(uri)

function uriOf(element: XmlElement, prefix: string): string | undefined {
  for (let at: typeof element.parent = element; at instanceof XmlElement; at = at.parent) {
    const uri = at.attributes[`xmlns:${prefix}`]
    if (uri !== undefined) return bare(uri)
  }
  return undefined
}

/** Windows has written its namespace with and without trailing slash. */
const bare = (uri: string): string => uri.replace(/\/$/, '')
