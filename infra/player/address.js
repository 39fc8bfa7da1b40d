/**
 * The playlist that the page's address names in `v`. Nothing is fetched before this has found it to be one of this service: who makes somebody open
 * the page chooses the address.
 * @param {string} search of the page's address
 * @param {string} cdnUrl where streams are, without trailing slash
 * @returns {string | undefined} URL of the folder that holds the stream, with trailing slash
 */
export function streamIn(search, cdnUrl) {
  const named = new URLSearchParams(search).get('v') ?? ''
  const [, id] = /\/streams\/([0-9a-f]{32})\/index\.m3u8$/.exec(named) ?? []
  const folder = `${cdnUrl}/streams/${id}/`
  return id && named === `${folder}index.m3u8` ? folder : undefined
}

/** The file that the page's address names, where it is the number of one. @param {string} search of the page's address */
export function mediaIn(search) {
  const named = new URLSearchParams(search).get('media') ?? ''
  return /^\d{1,10}$/.test(named) ? named : undefined
}
