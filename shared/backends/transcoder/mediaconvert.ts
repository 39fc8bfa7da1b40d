import {
  BadRequestException,
  CancelJobCommand,
  ConflictException,
  CreateJobCommand,
  GetJobCommand,
  MediaConvertClient,
  type MediaConvertClientConfig,
  NotFoundException,
  SearchJobsCommand,
} from '@aws-sdk/client-mediaconvert'
import { requestLimits } from '../aws/request-limits.ts'
import { createJobInput, inputUrl, type TranscodingPlace } from './mediaconvert-settings.ts'
import { JobRefused, type JobState, type Transcoder, TranscoderUnavailable, type TranscodingJob } from './port.ts'

/** A client with time limits on its requests. */
export function mediaConvertClient(config: MediaConvertClientConfig = {}): MediaConvertClient {
  return new MediaConvertClient({ requestHandler: requestLimits(10_000), ...config })
}

/**
 * Transcodes with MediaConvert. It sends an event to EventBridge when a job has ended, for which a rule of the stack starts
 * `note-service-event`.
 */
export function mediaConvert({ client = mediaConvertClient(), ...place }: TranscodingPlace & { client?: MediaConvertClient }): Transcoder {
  /**
   * The job that was started with this token. MediaConvert itself recognises a token only for one minute. A file's newest twenty jobs are
   * enough to search: a token belongs to its latest preview or stream.
   */
  async function jobIdOf({ token, source }: TranscodingJob): Promise<string | undefined> {
    const command = new SearchJobsCommand({
      Queue: place.queueArn,
      InputFile: inputUrl(source, place),
      Order: 'DESCENDING',
      MaxResults: 20,
    })
    const { Jobs = [] } = await client.send(command)
    return Jobs.find(({ ClientRequestToken }) => ClientRequestToken === token)?.Id
  }

  return {
    async start(job) {
      const input = createJobInput(job, place)
      try {
        return (await jobIdOf(job)) ?? (await client.send(new CreateJobCommand(input))).Job!.Id!
      } catch (cause) {
        if (cause instanceof BadRequestException) throw new JobRefused(`MediaConvert refuses the job: ${cause.message}`, { cause })
        throw unavailable(cause)
      }
    },

    async stateOf(jobId) {
      try {
        const { Job } = await client.send(new GetJobCommand({ Id: jobId }))
        return stateOfJob(Job ?? {})
      } catch (cause) {
        if (isUnknownJob(cause)) return { state: 'gone' }
        throw unavailable(cause)
      }
    },

    async cancel(jobId) {
      try {
        await client.send(new CancelJobCommand({ Id: jobId }))
      } catch (cause) {
        // ConflictException: the job has ended, or is about to.
        if (!isUnknownJob(cause) && !(cause instanceof ConflictException)) throw unavailable(cause)
      }
    },
  }
}

function stateOfJob({ Status, ErrorCode, ErrorMessage }: { Status?: string; ErrorCode?: number; ErrorMessage?: string }): JobState {
  if (Status === 'COMPLETE') return { state: 'done' }
  if (Status === 'CANCELED') return { state: 'failed', reason: 'the job was cancelled' }
  if (Status === 'ERROR') return { state: 'failed', reason: `MediaConvert failed with error ${ErrorCode}: ${ErrorMessage}` }
  return { state: 'running' }
}

/** MediaConvert has no such job, or the id is malformed. */
function isUnknownJob(error: unknown): boolean {
  return error instanceof NotFoundException || error instanceof BadRequestException
}

function unavailable(cause: unknown): TranscoderUnavailable {
  const name = cause instanceof Error ? cause.name : 'unknown error'
  return new TranscoderUnavailable(`MediaConvert did not answer as it should: ${name}`, { cause })
}
