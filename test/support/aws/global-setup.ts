import type { TestProject } from 'vitest/node'
import { dynamoDbLocal } from './dynamodb-local.ts'
import { elasticMq } from './elasticmq.ts'
import { type Engine, EngineUnavailable, leaveAws } from './engine.ts'
import { minio } from './minio.ts'
import { ministack } from './ministack.ts'
import { openSearch } from './opensearch.ts'
import { tableAndBuckets } from './table-and-buckets.ts'
import { versitygw } from './versitygw.ts'

const engines = { ministack, dynamoDbLocal, elasticMq, versitygw, minio, tableAndBuckets, openSearch } satisfies Record<string, Engine>

declare module 'vitest' {
  interface ProvidedContext {
    /** Over which engine a project tests the AWS adapters. */
    engine?: keyof typeof engines
    /** Why this machine can't run the files of a project, where it can't. */
    unavailable?: string
  }
}

/** Starts the engine of a project and leads its workers there. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  leaveAws()
  const engine = engines[project.getProvidedContext().engine!]
  try {
    const { environment, stop } = await engine.start()
    project.config.env = environment
    return stop
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    project.provide('unavailable', `${engine.name} is not available on this machine: ${error.message}`)
  }
}
