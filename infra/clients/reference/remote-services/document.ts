import type { OpenApiDocument } from '../../../../shared/http/openapi/document.ts'
import { Schemas } from '../../../../shared/http/openapi/schemas.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { keywordPaths } from './keyword-paths.ts'
import { stockPaths } from './stock-paths.ts'

const description = `An operator may let the media library use services of their own: a provider of stock, and one that suggests keywords.
This is what they have to answer. The library asks below an address that the operator sets, with \`Authorization: Bearer <key>\` where they set a key.

Answers are treated as a stranger's. They are JSON (\`Content-Type: application/json\`) of the shapes below, in time and not larger than said.
Redirects are not followed. Addresses in answers are at the service's own host, or at others that the operator names, without user name,
password or fragment. One wrong value makes the whole answer unusable; fields that are not named here are ignored.`

/** The OpenAPI document of the services outside that a library can use, from the schemas that check their answers. */
export function remoteServicesDocument(): OpenApiDocument {
  const schemas = new Schemas(defaultSettings.brand)
  const paths = { ...stockPaths(schemas), ...keywordPaths(schemas) }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Services that a media library can use',
      version: '1',
      summary: 'What the services of an operator answer to the library.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://stock.example.com/api', description: 'The address that the operator sets for the service' }],
    tags: [
      { name: 'stock', description: 'A provider of stock: a library elsewhere whose items may be found and downloaded.' },
      { name: 'keywords', description: 'A service that suggests keywords for pictures. It has an address of its own, and gets no key.' },
    ],
    security: [{ key: [] }],
    paths,
    components: { schemas: schemas.named, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }
  return JSON.parse(JSON.stringify(document), withoutPatternOfFormat)
}

/** A format says what its pattern, of many lines, says. */
function withoutPatternOfFormat(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('pattern' in value)) return value
  const { pattern: __, ...rest } = value
  return rest
}
