import * as z from 'zod'
import type { ServiceTables } from '../../../../infra/aws/bundling/entries.ts'
import { type Declaration, type Endpoint, endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { JobKind } from '../../../../shared/library/jobs/job.ts'
import type { Uses } from '../../../../shared/resources.ts'
import { batchConsumer, job, originFunction, schedule, serviceConsumer } from '../../../../shared/runtime/consumer.ts'

/** An endpoint that anyone may call, with what it uses, and what else is said of it. */
function thing(route: Declaration['route'], uses: Uses, more: Partial<Declaration> = {}): Endpoint {
  const declared = { route, summary: 'Do something', description: 'Of a test.', access: 'anyone', uses, returns: z.object({}), ...more }
  const params = route.includes('{id}') && { params: { id: z.string() } }
  return endpoint({ ...declared, ...params, handle: async () => ({}) } as never)
}

/** A job with what it uses, and how long it takes. */
const work = (name: string, uses: Uses, seconds: number, more: { temporaryMb?: number } = {}) => ({
  [name]: job({ kind: new JobKind(name), summary: 'Do a job', uses, seconds, ...more, run: async () => undefined }),
})

/** A service of a few functions that together use everything in every way, whatever the real tables hold at the moment. */
export const sampleTables: ServiceTables = {
  endpoints: {
    'get-thing': thing(
      'GET /thing/{id}',
      { table: 'read', media: 'read', publicFiles: 'read', urls: 'sign', search: 'read', stock: 'read' },
      { access: 'user' },
    ),
    'post-thing': thing(
      'POST /thing',
      { table: 'write', uploads: 'form', mail: 'send' },
      { access: 'user or application', timeoutSeconds: 25 },
    ),
    'search-things': thing('GET /search/<vendor>/thing', { stock: 'search' }, { summary: 'Search things' }),
    'render-thing': thing('GET /thing/{id}/picture', { stock: 'preview' }, { returns: { mediaType: 'image/png' } }),
    'download-thing': thing('GET /thing/{id}/download', { stock: 'download' }),
    'download-size': thing('GET /thing/{id}/download/size', { stock: 'sizes' }),
    ping: thing('GET /ping', {}),
  },
  events: {
    ...work('do-imports', { table: 'write', uploads: 'consume', media: 'write' }, 900, { temporaryMb: 8_192 }),
    ...work('do-encodings', { table: 'write', publicFiles: 'streams', transcoder: 'start' }, 60),
    ...work('do-suggestions', { table: 'write', keywords: 'suggest' }, 60),
    ...work('do-masters', { publicFiles: 'store' }, 900),
    ...work('do-invalidations', { table: 'write', publicFiles: 'sweep', edgeCache: 'invalidate' }, 60),
    'consume-service-events': serviceConsumer({
      summary: 'Consume what other services tell',
      uses: { table: 'write' },
      trigger: { services: ['transcoder', 'mail'] },
      timeoutSeconds: 30,
      handle: async () => {},
    }),
    'follow-exact': batchConsumer({
      summary: 'Follow changes of records with one sort key',
      uses: { table: 'write', media: 'write', profileImages: 'read' },
      trigger: { batchesOf: ['media.removed'], parallelism: 4 },
      repeatedBy: new JobKind('do-suggestions'),
      timeoutSeconds: 60,
      handle: async () => [],
    }),
    'follow-prefix': batchConsumer({
      summary: 'Follow changes of records whose keys have prefixes',
      uses: { table: 'writeByFolder', publicFiles: 'write' },
      trigger: { batchesOf: ['folder.created', 'folder.deleted', 'link.created'] },
      repeatedBy: new JobKind('do-suggestions'),
      timeoutSeconds: 60,
      handle: async () => [],
    }),
    'render-thing-of-link': originFunction({
      summary: 'Render what a link shows',
      uses: { publicFiles: 'read' },
      trigger: { origin: 'links' },
      timeoutSeconds: 60,
      handle: async () => ({ status: 200, headers: {} }),
    }),
    sweep: schedule({
      summary: 'Sweep up',
      uses: { table: 'write', uploads: 'read', profileImages: 'write', waker: 'wake' },
      trigger: { everyMinutes: 60 },
      timeoutSeconds: 300,
      handle: async () => {},
    }),
  },
}
