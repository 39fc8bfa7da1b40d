import { mkdirSync } from 'node:fs'
import { type Clock, systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/embedded-layout.ts'
import type { EmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import type { ObjectReader } from '../../shared/backends/objects/port.ts'
import type { Secrets } from '../../shared/backends/secrets/port.ts'
import type { Table, TableScanner } from '../../shared/backends/table/port.ts'
import { dataDirectory } from '../local/settings.ts'

/** The part of a library that the operator's commands work on. */
export interface OpenLibrary {
  table: Table
  scanner: TableScanner
  /** Opens the `media` bucket, which few commands need. */
  openMedia(): Promise<ObjectReader>
  apiSecretsKey: Secrets<'apiSecretsKey'>
  clock: Clock
  close(): void
}

/** Opens the local library, or that of a deployed stack. Adapters are loaded when they are needed: a command should start at once. */
export async function openLibrary({
  stack,
  environment,
}: {
  stack: string | undefined
  environment: NodeJS.ProcessEnv
}): Promise<OpenLibrary> {
  if (stack === undefined) return openLocal(dataDirectory(environment.DATA_DIR))
  const { openStack } = await import('./stack.ts')
  return openStack(stack)
}

async function openLocal(directory: string): Promise<OpenLibrary> {
  const [{ openEmbeddedTable }, { openEmbeddedSecrets }] = await Promise.all([
    import('../../shared/backends/table/embedded.ts'),
    import('../../shared/backends/secrets/embedded.ts'),
  ])
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const paths = embeddedLayout(directory)
  const table = openEmbeddedTable(paths.table)
  const buckets: EmbeddedObjects[] = []
  return {
    table,
    scanner: table,
    async openMedia() {
      const { openEmbeddedObjects } = await import('../../shared/backends/objects/embedded.ts')
      const media = openEmbeddedObjects(paths.media)
      buckets.push(media)
      return media
    },
    apiSecretsKey: openEmbeddedSecrets(paths.secrets),
    clock: systemClock,
    close() {
      for (const bucket of buckets) bucket.close()
      table.close()
    },
  }
}
