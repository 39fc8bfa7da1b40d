import * as z from 'zod'
import type { UploadForm as StorageForm } from '../../shared/backends/objects/port.ts'

const FormField = z.object({
  name: z.string().meta({ examples: ['key'] }),
  value: z
    .string()
    .optional()
    .meta({ description: 'absent for the file', examples: ['uploads/Zl8vQx2y'] }),
  type: z.enum(['hidden', 'file']),
})

export const UploadForm = z
  .object({
    action: z.string().meta({ format: 'uri', examples: ['https://uploads.example.com/'] }),
    enctype: z.literal('multipart/form-data'),
    method: z.literal('POST'),
    fields: z.array(FormField).describe('send them in this order'),
  })
  .meta({ id: 'UploadForm' })

export function uploadFormJson({ action, fields }: StorageForm): z.input<typeof UploadForm> {
  const hidden = fields.map((field) => ({ ...field, type: 'hidden' as const }))
  return { action, enctype: 'multipart/form-data', method: 'POST', fields: [...hidden, { name: 'file', type: 'file' }] }
}
