import type { FoundFile } from './calls.ts'

/** The address of what shows a file: of films a frame, because the thumbnail of all films is the same icon. */
export const pictureOf = ({ poster_url, thumbnail_url }: FoundFile): string | undefined => poster_url ?? thumbnail_url

/** Whether a file's picture shows what is in it. Others have one that says nothing of them. */
export const hasPicture = ({ media_type: kind, poster_url: poster }: FoundFile): boolean => kind === 'image' || Boolean(poster)
