import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { namedFunctions } from '../../../shared/runtime/consumer.ts'
import { jobGroups } from '../../../shared/runtime/job-groups.ts'
import { type Calls, type Counted, type CountedOperation, usageOfCalls } from './counted.ts'
import { sumOf, times, type Usage } from './prices.ts'

/** Memory of functions that declare none, in MB. */
const DEFAULT_MB = 512

/**
 * Seconds that a run takes, where it isn't short: estimates for arm64, an import's and a rendering's of a photo of 12 megapixels. Time can't be
 * counted, and nothing here was measured on AWS.
 */
const seconds: Readonly<Record<string, number>> = {
  'import-media': 1,
  'build-zip': 5,
  'prepare-download': 1,
  'prepare-downloads': 1,
  'label-pictures': 0.4,
  'make-master': 1,
  'snapshot-index': 30,
  'wake-jobs': 0.15,
  'deliver-events': 0.5,
}
const SECONDS_OF_REQUEST = 0.05
const SECONDS_OF_RUN = 0.1

/** Bytes that a request or a run logs, with Lambda's own lines. */
const LOGGED_BYTES = 1_000

const functions = namedFunctions(events)
/** Memory of functions that no call starts, by what they do. A job has that of its group. */
const memoryOf = new Map([
  ...functions.map(({ name, memoryMb }) => [name, memoryMb] as const),
  ...jobGroups(functions).flatMap(({ name, kinds, memoryMb }) =>
    [name, ...kinds.map((kind) => kind.name)].map((each) => [each, memoryMb] as const),
  ),
])

/** A run of a function that no call starts, with what it is billed for besides. */
export function usageOfRun(name: string, calls?: Calls): Usage {
  return sumOf(running(seconds[name] ?? SECONDS_OF_RUN, memoryOf.get(name)), calls ? usageOfCalls(calls) : {})
}

/** A call of an endpoint, with all that follows from it. */
export function usageOfOperation(name: string, { requests = 1, request, behind, runs }: CountedOperation): Usage {
  const endpoint = (endpoints as Readonly<Record<string, Endpoint>>)[name]
  const answered = times(requests, sumOf({ gatewayRequests: 1, edgeRequests: 1 }, running(SECONDS_OF_REQUEST, endpoint?.memoryMb)))
  const following = Object.entries(runs).map(([run, count]) => times(count, usageOfRun(run)))
  return sumOf(answered, usageOfCalls(request), usageOfCalls(behind), ...following)
}

/** Files and pictures that CloudFront delivers. It asks S3 for every other one. @param gb of all together */
export const usageOfDeliveries = (count: number, gb: number): Usage => ({ edgeRequests: count, edgeGb: gb, objectReads: count / 2 })

/** The files of the page behind a share link, in KB as they are sent, and the pictures on its first screen with their average. */
export const sharePage = { files: 6, kb: 60, pictures: 24, kbEach: 75 }

/** A visitor opens a share link and sees the first screen. */
export function usageOfVisit({ operations }: Counted): Usage {
  const { files, kb, pictures, kbEach } = sharePage
  const calls = ['show-share', 'list-shared'].map((name) => usageOfOperation(name, operations[name]!))
  return sumOf(...calls, usageOfDeliveries(files + pictures, (kb + pictures * kbEach) / 1e6))
}

function running(duration: number, memoryMb = DEFAULT_MB): Usage {
  return { invocations: 1, gbSeconds: (duration * memoryMb) / 1024, logGb: LOGGED_BYTES / 1e9 }
}
