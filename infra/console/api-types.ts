import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { endpoints } from '../../functions/endpoints.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'

/** `npm run typecheck` runs it: the types of the console's calls are those of the API document. */
const dist = join(import.meta.dirname, '../../dist')
const types = await openapiTypes(JSON.stringify(openApiDocument(endpoints, defaultSettings)))
await mkdir(dist, { recursive: true })
await writeFile(join(dist, 'api.d.ts'), astToString(types))
