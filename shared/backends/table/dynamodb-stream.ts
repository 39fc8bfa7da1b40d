import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBRecord } from 'aws-lambda'
import type { Change, Item } from './port.ts'

/** Reads a record of the table's stream (new and old images) as Lambda delivers it. */
export function toChange({ eventID = '', dynamodb = {}, userIdentity }: DynamoDBRecord): Change {
  const { Keys = {}, OldImage, NewImage } = dynamodb
  return {
    id: eventID,
    key: toItem(Keys),
    ...(OldImage && { before: toItem(OldImage) }),
    ...(NewImage && { after: toItem(NewImage) }),
    ...(byTimeToLive(userIdentity) && { expired: true }),
  }
}

/** The types of values differ between Lambda and the SDK. */
const toItem = (image: object): Item => unmarshall(image as Record<string, AttributeValue>, { wrapNumbers: Number }) as Item

/** Source: Amazon DynamoDB Developer Guide, "DynamoDB Streams and Time to Live". */
function byTimeToLive(identity: DynamoDBRecord['userIdentity']): boolean {
  return identity?.type === 'Service' && identity.principalId === 'dynamodb.amazonaws.com'
}
