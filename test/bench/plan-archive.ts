import { EMBEDDED_PART_RULES } from '../../shared/backends/objects/embedded-compositions.ts'
import type { PartRules } from '../../shared/backends/objects/port.ts'
import { S3_PART_RULES } from '../../shared/backends/objects/s3-multipart.ts'
import type { ObjectPlan } from '../../shared/tools/archive/plan.ts'
import { planArchive } from '../../shared/tools/archive/planner.ts'
import { noWork, segmentsOf } from '../tools/archive/segments.ts'
import { zeroFiles, zeroStorage } from '../tools/archive/zero-files.ts'
import type { Row } from './report.ts'
import { median, timed } from './timing.ts'

const [MB, GB] = [1e6, 1e9]
/** Most keys of one `DeleteObjects`. */
const DELETED_AT_ONCE = 1_000

/**
 * Planning an archive of small and large files, all of its parts made; and, computed from the plan, what an archive of large files of
 * the same size asks of S3 and of the function that assembles it.
 * @param options.files of the first archive: one of 50 has 20 MB, the others up to 400 KB
 * @param options.gigabytes of the second archive
 * @param options.megabytes of each of its files
 */
export async function run({ files = 100_000, rounds = 11, gigabytes = 100, megabytes = 20 } = {}): Promise<Row[]> {
  const mixed = Array.from({ length: files }, (_, index) => (index % 50 === 0 ? 20 * MB : (index * 7919) % 400_000))
  const large = Array.from({ length: Math.ceil((gigabytes * GB) / (megabytes * MB)) }, () => megabytes * MB)
  return [
    ...(await planning(mixed, rounds, 'S3', S3_PART_RULES)),
    ...(await planning(mixed, rounds, 'the embedded storage', EMBEDDED_PART_RULES)),
    ...assembling(large, `${gigabytes} GB of files of ${megabytes} MB on S3`),
  ]
}

async function planning(sizes: readonly number[], rounds: number, storage: string, rules: PartRules): Promise<Row[]> {
  const entries = zeroFiles(sizes)
  const times = await timed(rounds, async () => walk(planArchive(entries, rules)))
  return [{ what: `planning ${sizes.length} files for ${storage}, p50`, value: median(times), unit: 'ms', atMost: 200 }]
}

/** Makes all parts, of objects in objects, too. */
function walk(plan: ObjectPlan): void {
  for (const part of plan.parts()) if ('object' in part && part.start === 0) walk(part.object)
}

function assembling(sizes: readonly number[], what: string): Row[] {
  const work = noWork()
  for (const _ of segmentsOf(planArchive(zeroFiles(sizes), S3_PART_RULES), zeroStorage(S3_PART_RULES, sizes), work));
  const temporary = work.objects.size - 1
  const requests = work.parts + work.reads + 2 * work.objects.size + Math.ceil(temporary / DELETED_AT_ONCE)
  return [
    { what: `${what}: bytes through the function`, value: work.throughCaller / MB, unit: 'MB', atMost: 200 },
    { what: `${what}: requests to storage`, value: requests, unit: '' },
    { what: `${what}: temporary objects`, value: temporary, unit: '' },
    { what: `${what}: bytes of temporary objects`, value: work.temporary / GB, unit: 'GB' },
  ]
}
