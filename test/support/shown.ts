import type { Service } from './service.ts'

/** The origin of links and player, without trailing slash. */
export const shownAt = ({ demo }: Service): string => new URL(demo.cdn_url).origin
