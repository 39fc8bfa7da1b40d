import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CreateJobCommandInput } from '@aws-sdk/client-mediaconvert'
import { listening } from '../listening.ts'
import { eventOf, type JobEvent } from './mediaconvert-events.ts'
import { brokenRules } from './mediaconvert-rules.ts'
import { serviceModel } from './service-model.ts'

export interface StandInOptions {
  /** Makes what a job is to make. @throws JobError; whatever else it throws is an error of the service itself */
  transcode(job: CreateJobCommandInput, signal: AbortSignal): Promise<void>
  /** Takes what the service tells EventBridge. */
  tell(event: JobEvent): Promise<void>
}

/** What MediaConvert finds wrong with a job as it runs. */
export class JobError extends Error {
  override name = 'JobError'
  readonly code: number

  /** @param code as in the User Guide, "Error codes" */
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** As an answer tells it. */
export interface Job {
  id: string
  arn: string
  /** UNIX seconds. */
  createdAt: number
  status: 'SUBMITTED' | 'PROGRESSING' | 'COMPLETE' | 'CANCELED' | 'ERROR'
  queue: string
  role: string
  clientRequestToken?: string
  userMetadata: Record<string, string>
  settings: { inputs: { fileInput: string }[] }
  errorCode?: number
  errorMessage?: string
}

/** What an operation answers instead. */
class Refusal extends Error {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, message: string) {
    super(message)
    this.status = status
    this.error = error
  }
}

/** For how many seconds a token is known: MediaConvert documents a minute. */
const TOKEN_SECONDS = 60

/**
 * Stands in for MediaConvert, which no emulator has: the part of its API that the service uses, with its checks.
 * @returns its address, for `AWS_ENDPOINT_URL_MEDIACONVERT`, and how to end what runs
 * @throws EngineUnavailable without the service's published model
 */
export async function startMediaConvert({ transcode, tell }: StandInOptions) {
  const model = await serviceModel('mediaconvert')
  const jobs: Job[] = []
  const running = new Map<string, AbortController>()
  const stopped = new AbortController()
  let turn: Promise<void> = Promise.resolve()

  function create(body: unknown): Job {
    const faults = model.faultsIn('CreateJobRequest', body, 'wire')
    if (faults.length > 0) throw new Refusal(400, 'BadRequestException', faults.join('; '))
    const wire = body as Omit<Job, 'id' | 'arn' | 'createdAt' | 'status'>
    const input = model.ofWire('CreateJobRequest', body) as CreateJobCommandInput
    const broken = brokenRules(input)
    if (broken.length > 0) throw new Refusal(400, 'BadRequestException', broken.join('; '))
    const now = Date.now() / 1000
    const same = jobs.find(
      ({ clientRequestToken, createdAt }) =>
        clientRequestToken !== undefined && clientRequestToken === wire.clientRequestToken && createdAt > now - TOKEN_SECONDS,
    )
    if (same) return same
    const id = `${Math.floor(now * 1000)}-${randomBytes(3).toString('hex')}`
    const job: Job = { ...wire, id, arn: wire.queue.replace(/queues\/.*$/, `jobs/${id}`), createdAt: now, status: 'SUBMITTED' }
    jobs.unshift(job)
    turn = turn.then(() => run(job, input))
    return job
  }

  async function run(job: Job, input: CreateJobCommandInput): Promise<void> {
    if (!isOpen(job) || stopped.signal.aborted) return
    const cancelled = new AbortController()
    running.set(job.id, cancelled)
    await change(job, { status: 'PROGRESSING' })
    try {
      await transcode(input, AbortSignal.any([cancelled.signal, stopped.signal]))
      if (isOpen(job)) await change(job, { status: 'COMPLETE' })
    } catch (error) {
      const { code, message } = error instanceof JobError ? error : { code: 1999, message: String(error) }
      if (isOpen(job)) await change(job, { status: 'ERROR', errorCode: code, errorMessage: message })
    } finally {
      running.delete(job.id)
    }
  }

  async function cancel(job: Job): Promise<void> {
    if (!isOpen(job)) throw new Refusal(409, 'ConflictException', `a job can't be cancelled once it is ${job.status}`)
    await change(job, { status: 'CANCELED' })
    running.get(job.id)?.abort(new Error('the job was cancelled'))
  }

  async function change(job: Job, { status, ...error }: Pick<Job, 'status' | 'errorCode' | 'errorMessage'>): Promise<void> {
    Object.assign(job, { status, ...error })
    if (stopped.signal.aborted) return
    try {
      await tell(eventOf(job))
    } catch (error) {
      console.error(`nobody was told that job ${job.id} is ${status}:`, error)
    }
  }

  function jobNamed(id: string): Job {
    const job = jobs.find((each) => each.id === id)
    if (!job) throw new Refusal(404, 'NotFoundException', `there is no job ${id}`)
    return job
  }

  async function answer({ method, url = '' }: IncomingMessage, body: string): Promise<[status: number, body: object]> {
    const { pathname, searchParams: query } = new URL(url, 'http://mediaconvert')
    const id = /^\/2017-08-29\/jobs\/([^/]+)$/.exec(pathname)?.[1]
    if (method === 'POST' && pathname === '/2017-08-29/jobs') return [201, { job: create(JSON.parse(body)) }]
    if (method === 'GET' && id) return [200, { job: jobNamed(id) }]
    if (method === 'DELETE' && id) {
      await cancel(jobNamed(id))
      return [202, {}]
    }
    if (method === 'GET' && pathname === '/2017-08-29/search') return [200, { jobs: found(jobs, query) }]
    throw new Refusal(404, 'NotFoundException', `the stand-in knows no ${method} ${pathname}`)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    try {
      reply(...(await answer(request, await text(request))))
    } catch (error) {
      const {
        status,
        error: name,
        message,
      } = error instanceof Refusal ? error : new Refusal(500, 'InternalServerErrorException', String(error))
      reply(status, { message }, { 'x-amzn-errortype': name })
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  const { url, stop } = await listening(server)
  return {
    url,
    async stop() {
      stopped.abort(new Error('the stand-in was stopped'))
      await stop()
      await turn
    },
  }
}

/** It waits or runs. */
function isOpen({ status }: Job): boolean {
  return status === 'SUBMITTED' || status === 'PROGRESSING'
}

/** The newest come first. */
function found(jobs: readonly Job[], query: URLSearchParams): Job[] {
  const [input, queue] = [query.get('inputFile') ?? '', query.get('queue')]
  const matching = jobs.filter((job) => job.settings.inputs[0]!.fileInput.includes(input) && (!queue || job.queue === queue))
  const ordered = query.get('order') === 'ASCENDING' ? matching.toReversed() : matching
  return ordered.slice(0, Number(query.get('maxResults') ?? 20))
}
