/** The address of the image service (IIIF) of a link's picture. @param url of the link */
export function imageService(url: string): string {
  return url.replace(/\/([a-z0-9-]+)\/([0-9a-f]{32})(?:\.\w+)?$/, '/iiif/3/$1/$2')
}
