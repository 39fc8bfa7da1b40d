/**
 * Fetches the files of a stream as a page of somebody else does: a playlist, everything that it names, and what that names.
 * @param seen files that were fetched before
 * @returns answers by URL; their bodies are consumed
 */
export async function filesOfStream(playlist: string, seen = new Map<string, Response>()): Promise<Map<string, Response>> {
  if (seen.has(playlist)) return seen
  const response = await fetch(playlist, { headers: { origin: 'https://anywhere.example' } })
  seen.set(playlist, response)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!playlist.endsWith('.m3u8')) return seen
  const named = bytes.toString('utf8').matchAll(/^([^#\s].*)$|URI="([^"]+)"/gm)
  for (const [, line, uri] of named) await filesOfStream(new URL((line ?? uri)!.trim(), playlist).href, seen)
  return seen
}
