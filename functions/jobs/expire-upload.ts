import { expirePartUpload } from '../../shared/library/uploads/ending.ts'
import { uploadExpiryJob } from '../../shared/library/uploads/part-upload.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const expireUpload = job({
  kind: uploadExpiryJob,
  group: 'long-jobs',
  summary: 'Ends an upload in parts that nobody goes on with. Looks at one by a share link once its URLs are old',
  uses: { table: 'write', partUploads: 'sweep' },
  seconds: 120,
  run: ({ input: { uploadId }, ...library }) => expirePartUpload(library, uploadId),
})
