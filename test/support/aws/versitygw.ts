import { goBuckets } from './go-buckets.ts'

/** Buckets in folders: the only one that keeps a CRC-32 of whole objects that are assembled from copied parts. */
export const versitygw = goBuckets({
  name: 'versitygw',
  source: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
  args: (address, folder) => ['--quiet', '--keep-alive', '--health', '/health', '--port', address, 'posix', folder],
  environment: ({ id, secret }) => ({ ROOT_ACCESS_KEY: id, ROOT_SECRET_KEY: secret }),
  health: '/health',
})
