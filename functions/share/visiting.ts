/** The resources of endpoints for people without an account, but for downloads and zips: one function on AWS, so they use the same. */
export const visiting = {
  answeredBy: 'visit-share',
  uses: { table: 'writeByFeed', search: 'read', urls: 'sign' },
} as const

/** The resources of endpoints that take their files, by forms and in parts. */
export const sendingForms = {
  answeredBy: 'send-shared-form',
  uses: { table: 'write', uploads: 'receive' },
} as const
export const sendingParts = {
  answeredBy: 'send-shared-parts',
  uses: { table: 'write', partUploads: 'manage' },
} as const

/** The resources of endpoints for zips. They read the bucket and search nothing: the right to both would hold the right to snapshots twice. */
export const zipping = {
  answeredBy: 'zip-shared',
  uses: { table: 'writeByFeed', media: 'read', urls: 'sign' },
} as const
