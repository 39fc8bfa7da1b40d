/**
 * The stream whose playlist the page's address names in `v`. Nothing is fetched before this has found it to be one of this service: who makes
 * somebody open the page chooses the address. A playlist at a former address is that of the same stream at the present one.
 * @param {string} page its address
 * @param {string} cdnUrl where streams are, without trailing slash
 * @param {string[]} formerUrls where they have been, without trailing slash; a path is one at the page's own host
 * @returns {string | undefined} URL of the folder that holds the stream, with trailing slash
 */
export function streamIn(page, cdnUrl, formerUrls) {
  const named = new URL(page).searchParams.get('v') ?? ''
  const [, id] = /\/streams\/([0-9a-f]{32})\/index\.m3u8$/.exec(named) ?? []
  const isOurs = [cdnUrl, ...formerUrls].some((url) => new URL(`${url}/streams/${id}/index.m3u8`, page).href === named)
  return id && isOurs ? `${cdnUrl}/streams/${id}/` : undefined
}

/** The file that the page's address names, where it is the number of one. @param {string} page its address */
export function mediaIn(page) {
  const named = new URL(page).searchParams.get('media') ?? ''
  return /^\d{1,10}$/.test(named) ? named : undefined
}
