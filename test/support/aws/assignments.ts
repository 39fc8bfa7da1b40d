import { dynamoDbLocal } from './dynamodb-local.ts'
import { elasticMq } from './elasticmq.ts'
import type { Engine } from './engine.ts'
import { minio } from './minio.ts'
import { ministack } from './ministack.ts'
import { versitygw } from './versitygw.ts'

/** Which suites run over an engine: globs from the project's root. */
export interface Assignment {
  engine: Engine
  suites: readonly string[]
  except?: readonly string[]
}

/** What `npm run test:aws` runs over what, those that take longest first. Ministack runs twice, because it is one slow process. */
export const assignments: readonly Assignment[] = [
  {
    engine: ministack,
    suites: ['test/backends/**/*.aws.ts'],
    // Faults need an engine each, the quickest.
    except: ['test/backends/table/faults.aws.ts', 'test/backends/queue/faults.aws.ts'],
  },
  { engine: ministack, suites: ['test/**/*.aws.ts'], except: ['test/backends/**', 'test/library/concurrency/**'] },
  { engine: dynamoDbLocal, suites: ['test/backends/table/*.aws.ts', 'test/library/concurrency/*.aws.ts'] },
  { engine: elasticMq, suites: ['test/backends/queue/*.aws.ts'] },
  { engine: versitygw, suites: ['test/backends/objects/s3.aws.ts'] },
  { engine: minio, suites: ['test/backends/objects/s3*.aws.ts'] },
]
