import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { endpoints } from '../../../functions/endpoints.ts'
import { openApiDocument } from '../../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../../shared/settings.ts'

/** The file of the API document's types: those of the calls of the client and of the console. */
export const API_TYPES = join(import.meta.dirname, '../../../dist/api.d.ts')

export async function writeApiTypes(): Promise<void> {
  const types = await openapiTypes(JSON.stringify(openApiDocument(endpoints, defaultSettings)))
  await mkdir(join(API_TYPES, '..'), { recursive: true })
  await writeFile(API_TYPES, astToString(types))
}

/** `npm run typecheck` runs it. */
if (import.meta.main) await writeApiTypes()
