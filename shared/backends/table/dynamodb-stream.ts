import type { DynamoDBRecord } from 'aws-lambda'
import { toItem } from './attribute-value.ts'
import type { Change, Key } from './port.ts'

/** Reads a record of the table's stream (new and old images) as Lambda delivers it. */
export function toChange({ eventID = '', dynamodb = {}, userIdentity }: DynamoDBRecord): Change {
  const { Keys = {}, OldImage, NewImage } = dynamodb
  return {
    id: eventID,
    key: toItem(Keys) as Key,
    ...(OldImage && { before: toItem(OldImage) }),
    ...(NewImage && { after: toItem(NewImage) }),
    ...(byTimeToLive(userIdentity) && { expired: true }),
  }
}

/** Source: Amazon DynamoDB Developer Guide, "DynamoDB Streams and Time to Live". */
function byTimeToLive(identity: DynamoDBRecord['userIdentity']): boolean {
  return identity?.type === 'Service' && identity.principalId === 'dynamodb.amazonaws.com'
}
