import {
  DetectLabelsCommand,
  ImageTooLargeException,
  InvalidImageFormatException,
  InvalidParameterException,
  type Label,
  RekognitionClient,
  type RekognitionClientConfig,
} from '@aws-sdk/client-rekognition'
import { MAX_SUGGESTIONS, MIN_CONFIDENCE, type Suggestion } from '../../vocabulary/suggestion.ts'
import { requestLimits } from '../aws/request-limits.ts'
import { type KeywordSuggester, PictureRefused, SuggesterUnavailable } from './port.ts'
import { lackOfKeywords } from './regions.ts'

/** A client with time limits on its requests. */
export function rekognitionClient(config: RekognitionClientConfig = {}): RekognitionClient {
  return new RekognitionClient({ requestHandler: requestLimits(10_000), ...config })
}

/** Rekognition's errors for pictures that it never accepts: damaged, too large, or with a side under 80 pixels. */
const refusals = [InvalidImageFormatException, ImageTooLargeException, InvalidParameterException]

/**
 * Amazon Rekognition, which reads the picture from the bucket with the caller's rights. Labels are in English. Returns undefined in regions
 * without it.
 * @param options.bucket the bucket `media`, in the client's region
 */
export function rekognition({ bucket, client = rekognitionClient() }: { bucket: string; client?: RekognitionClient }): KeywordSuggester {
  return {
    async suggest({ key }) {
      if (lackOfKeywords(await client.config.region())) return undefined
      const Image = { S3Object: { Bucket: bucket, Name: key } }
      const command = new DetectLabelsCommand({ Image, MaxLabels: MAX_SUGGESTIONS, MinConfidence: MIN_CONFIDENCE })
      try {
        const { Labels = [] } = await client.send(command)
        return Labels.flatMap(suggestionOf)
      } catch (cause) {
        if (refusals.some((refusal) => cause instanceof refusal))
          throw new PictureRefused(`Rekognition refuses the picture: ${nameOf(cause)}`)
        throw new SuggesterUnavailable(`Rekognition did not answer as it should: ${nameOf(cause)}`, { cause })
      }
    },
  }
}

function suggestionOf({ Name, Confidence }: Label): Suggestion[] {
  return Name === undefined || Confidence === undefined ? [] : [{ keyword: Name, confidence: Confidence }]
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}
