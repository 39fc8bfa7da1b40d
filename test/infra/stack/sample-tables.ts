import { Readable } from 'node:stream'
import * as z from 'zod'
import type { ServiceTables } from '../../../infra/bundling/entries.ts'
import { changeConsumer, originFunction, queueConsumer, schedule } from '../../../shared/events/consumer.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { stream } from '../../../shared/http/results.ts'

/** A service of a few functions that together use everything in every way, whatever the real tables hold at the moment. */
export const sampleTables: ServiceTables = {
  endpoints: {
    'get-thing': endpoint({
      route: 'GET /thing/{id}',
      summary: 'Read one thing',
      description: 'Of a test.',
      access: 'user',
      uses: { table: 'read', media: 'read', publicFiles: 'read', urls: 'sign', search: 'read' },
      params: { id: z.string() },
      returns: z.object({}),
      handle: async () => ({}),
    }),
    'post-thing': endpoint({
      route: 'POST /thing',
      summary: 'Make a thing',
      description: 'Of a test.',
      access: 'user or application',
      uses: { table: 'write', uploads: 'form', imports: 'send', removals: 'send', downloads: 'send', mail: 'send' },
      returns: z.object({}),
      timeoutSeconds: 25,
      handle: async () => ({}),
    }),
    'search-things': endpoint({
      route: 'GET /search/<vendor>/thing',
      summary: 'Search things',
      description: 'Of a test.',
      access: 'anyone',
      uses: {},
      returns: z.object({}),
      handle: async () => ({}),
    }),
    'render-thing': endpoint({
      route: 'GET /thing/{id}/picture',
      summary: 'Render a thing',
      description: 'Of a test.',
      access: 'anyone',
      uses: {},
      params: { id: z.string() },
      returns: stream('image/png'),
      handle: async () => ({ mediaType: 'image/png' as const, bytes: Readable.from([]) }),
    }),
    ping: endpoint({
      route: 'GET /ping',
      summary: 'Answer',
      description: 'Of a test.',
      access: 'anyone',
      uses: {},
      returns: z.object({}),
      handle: async () => ({}),
    }),
  },
  events: {
    'consume-imports': queueConsumer({
      summary: 'Consume a queue',
      uses: { table: 'write', uploads: 'consume', media: 'write' },
      trigger: { queue: 'imports' },
      timeoutSeconds: 900,
      temporaryMb: 8_192,
      handle: async () => {},
    }),
    'consume-encodings': queueConsumer({
      summary: 'Consume a queue of videos',
      uses: { table: 'write', publicFiles: 'streams', transcoder: 'start', encodings: 'send' },
      trigger: { queue: 'encodings', concurrency: 2 },
      timeoutSeconds: 60,
      handle: async () => {},
    }),
    'consume-suggestions': queueConsumer({
      summary: 'Consume a queue of pictures',
      uses: { table: 'write', keywords: 'suggest', suggestions: 'send' },
      trigger: { queue: 'suggestions', concurrency: 2 },
      timeoutSeconds: 60,
      handle: async () => {},
    }),
    'consume-masters': queueConsumer({
      summary: 'Consume a queue of work on public files',
      uses: { publicFiles: 'store', masters: 'send', invalidations: 'send' },
      trigger: { queue: 'masters', concurrency: 2 },
      timeoutSeconds: 900,
      handle: async () => {},
    }),
    'consume-invalidations': queueConsumer({
      summary: 'Consume a queue of what edges are to forget',
      uses: { table: 'write', publicFiles: 'sweep', edgeCache: 'invalidate' },
      trigger: { queue: 'invalidations', concurrency: 2 },
      timeoutSeconds: 60,
      handle: async () => {},
    }),
    'consume-mails': queueConsumer({
      summary: 'Consume a queue, some messages at a time',
      uses: {},
      trigger: { queue: 'mails', concurrency: 4 },
      timeoutSeconds: 30,
      handle: async () => {},
    }),
    'consume-mail-events': queueConsumer({
      summary: 'Consume a queue that another service fills',
      uses: { table: 'write' },
      trigger: { queue: 'mailEvents', concurrency: 2 },
      timeoutSeconds: 30,
      handle: async () => {},
    }),
    'follow-exact': changeConsumer({
      summary: 'Follow changes of records with one sort key',
      uses: { media: 'write', profileImages: 'read' },
      trigger: { events: ['media.removed'], parallelism: 4 },
      timeoutSeconds: 60,
      handle: async () => {},
    }),
    'follow-prefix': changeConsumer({
      summary: 'Follow changes of records whose keys have prefixes',
      uses: { table: 'writeByFolder', publicFiles: 'write' },
      trigger: { events: ['folder.deleted', 'contents.deleted', 'clique.deleted'] },
      timeoutSeconds: 60,
      handle: async () => {},
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
      uses: { table: 'write', uploads: 'read', profileImages: 'write' },
      trigger: { everyMinutes: 60 },
      timeoutSeconds: 300,
      handle: async () => {},
    }),
  },
}
