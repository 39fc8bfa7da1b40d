import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { requestLimits } from '../../../shared/backends/aws/request-limits.ts'
import { dynamoClient } from '../../../shared/backends/table/dynamodb.ts'

/** A client that waits two minutes for an answer where the service waits 3 s: engines on a busy machine take seconds for one. */
export const patientClient = (): DynamoDBClient => dynamoClient({ requestHandler: requestLimits(120_000) })
