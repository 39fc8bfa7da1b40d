import { dynamoDbLocal } from './dynamodb-local.ts'
import { elasticMq } from './elasticmq.ts'
import type { Engine } from './engine.ts'
import { minio } from './minio.ts'
import { ministack } from './ministack.ts'
import { openSearch } from './opensearch.ts'
import { tableAndBuckets } from './table-and-buckets.ts'
import { versitygw } from './versitygw.ts'

/** Every engine over which AWS adapters are tested, by the name that vitest.config.ts has for it. */
export const engines = { ministack, dynamoDbLocal, elasticMq, versitygw, minio, tableAndBuckets, openSearch } satisfies Record<
  string,
  Engine
>
