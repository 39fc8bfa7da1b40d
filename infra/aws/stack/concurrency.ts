import { importJob } from '../../../shared/library/media/importing.ts'
import type { NamedFunction } from '../../../shared/runtime/consumer.ts'
import { type JobGroup, jobGroups } from '../../../shared/runtime/job-groups.ts'
import type { DeploymentSettings } from './settings.ts'

/** The limits of a consumer's executions at a time. */
export type ConcurrencyLimits = Pick<DeploymentSettings, 'importConcurrency' | 'consumerConcurrency'>

/**
 * How many executions a consumer of changes takes at a time: as many as it declares, or fewer where the account allows few; for each shard of the
 * stream. Undefined for all other functions, and where nothing limits it.
 */
export function concurrencyOf(
  { trigger }: Pick<NamedFunction, 'trigger'>,
  { consumerConcurrency = Infinity }: Pick<ConcurrencyLimits, 'consumerConcurrency'>,
): number | undefined {
  return 'batchesOf' in trigger ? Math.min(trigger.parallelism ?? 1, consumerConcurrency) : undefined
}

/** How many executions a function that does jobs takes at a time. */
export function runsOf({ kinds, runs }: JobGroup, { importConcurrency, consumerConcurrency = Infinity }: ConcurrencyLimits): number {
  return Math.min(kinds.some(({ name }) => name === importJob.name) ? importConcurrency : runs, consumerConcurrency)
}

/** How many executions each consumer, and each function that does jobs, takes. */
export const executionsOf = (functions: readonly NamedFunction[], limits: ConcurrencyLimits): number[] => [
  ...functions.flatMap((fn) => concurrencyOf(fn, limits) ?? []),
  ...jobGroups(functions).map((group) => runsOf(group, limits)),
]
