import type { TagGroups } from './tags.ts'

/** Whether a file has Content Credentials (C2PA): a signed manifest in a JUMBF box. @param texts its tags as text */
export function hasContentCredentials(texts: TagGroups<string>): boolean {
  return [texts.JUMBF?.JUMDLabel ?? []].flat().some(isCredentialsLabel)
}

/** Whether a JUMBF box is one of C2PA's manifests, by its label. */
export const isCredentialsLabel = (label: string): boolean => label.startsWith('c2pa')
