import { type EmbeddedBackend, openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import type { Backend } from '../../../shared/resources.ts'

/** Where a library is that several processes work on at once. */
export interface Place {
  /** Objects and queues, and the table where it isn't elsewhere. */
  directory: string
  /** Name of the DynamoDB table, where it is one. */
  tableName?: string
}

export const BASE_URL = 'http://127.0.0.1'

/** A library as one process has it open. */
export interface OpenPlace {
  backend: Backend
  embedded: EmbeddedBackend
  close(): Promise<void>
}

/** Opens the library. Everything but the table is embedded: tables are what differs here. */
export async function openPlace({ directory, tableName }: Place, clock: Clock): Promise<OpenPlace> {
  const embedded = await openEmbeddedBackend({ directory, baseUrl: BASE_URL, mailSender: 'library@example.com', clock })
  if (tableName === undefined) return { backend: embedded.backend, embedded, close: () => embedded.close() }
  const [{ dynamoTable }, { patientClient }] = await Promise.all([
    import('../../../shared/backends/table/dynamodb.ts'),
    import('../../support/aws/patient-client.ts'),
  ])
  const client = patientClient()
  return {
    backend: { ...embedded.backend, table: dynamoTable({ tableName, client }) },
    embedded,
    async close() {
      client.destroy()
      await embedded.close()
    },
  }
}

/** Path of the embedded table's file. */
export const tableFile = ({ directory }: Place): string => embeddedLayout(directory).table
