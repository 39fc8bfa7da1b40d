/** What answers people without an account, but for downloads and zips: one function on AWS, so its endpoints use the same. */
export const visiting = {
  answeredBy: 'visit-share',
  uses: { table: 'writeByFeed', search: 'read', urls: 'sign' },
} as const

/** What takes files that they send by forms, and in parts. */
export const sendingForms = {
  answeredBy: 'send-shared-form',
  uses: { table: 'write', uploads: 'receive' },
} as const
export const sendingParts = {
  answeredBy: 'send-shared-parts',
  uses: { table: 'write', partUploads: 'manage' },
} as const

/** What answers them about zips. It reads the bucket and searches nothing: the right to both would hold the right to snapshots twice. */
export const zipping = {
  answeredBy: 'zip-shared',
  uses: { table: 'writeByFeed', media: 'read', urls: 'sign' },
} as const
