import { goBuckets } from './go-buckets.ts'

/** Buckets: the reference for bytes, signatures and upload forms. */
export const minio = goBuckets({
  name: 'MinIO',
  source: 'github.com/minio/minio',
  version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
  args: (address, folder) => ['server', '--quiet', '--address', address, `${folder}/data`],
  environment: ({ id, secret }) => ({ MINIO_ROOT_USER: id, MINIO_ROOT_PASSWORD: secret, MINIO_BROWSER: 'off', MINIO_UPDATE: 'off' }),
  health: '/minio/health/ready',
})
