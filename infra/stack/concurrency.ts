import type { NamedFunction } from '../../shared/events/consumer.ts'
import { importJob } from '../../shared/library/media/import-job.ts'
import type { DeploymentSettings } from './settings.ts'

/** The limits of a consumer's executions at a time. */
export type ConcurrencyLimits = Pick<DeploymentSettings, 'importConcurrency' | 'consumerConcurrency'>

/**
 * How many executions a consumer of changes, or a kind of job, takes at a time: as many as it declares, or fewer where the account
 * allows few; of changes for each shard of the stream. Undefined for all other functions, and where nothing limits it.
 */
export function concurrencyOf(
  { trigger }: Pick<NamedFunction, 'trigger'>,
  { importConcurrency, consumerConcurrency = Infinity }: ConcurrencyLimits,
): number | undefined {
  if ('job' in trigger) return Math.min(trigger.job === importJob.name ? importConcurrency : trigger.runs, consumerConcurrency)
  return 'events' in trigger || 'batchesOf' in trigger ? Math.min(trigger.parallelism ?? 1, consumerConcurrency) : undefined
}

/** How many executions all consumers and jobs take together. */
export const executionsOf = (functions: readonly NamedFunction[], limits: ConcurrencyLimits): number =>
  functions.reduce((sum, fn) => sum + (concurrencyOf(fn, limits) ?? 0), 0)
