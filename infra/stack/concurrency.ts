import type { NamedFunction } from '../../shared/events/consumer.ts'
import type { DeploymentSettings } from './settings.ts'

export type ImportConcurrency = Pick<DeploymentSettings, 'importConcurrency'>

/**
 * How many executions a consumer of a queue or of changes may take at a time; of changes for each shard of the stream. Undefined for all other
 * functions, and where nothing limits it.
 */
export function declaredConcurrency(
  { trigger }: Pick<NamedFunction, 'trigger'>,
  { importConcurrency }: ImportConcurrency,
): number | undefined {
  if ('queue' in trigger) return trigger.queue === 'imports' ? importConcurrency : trigger.concurrency
  return 'events' in trigger || 'batchesOf' in trigger ? (trigger.parallelism ?? 1) : undefined
}

/** The maxima of all consumers. */
export function consumersOf(functions: readonly NamedFunction[], settings: ImportConcurrency): number[] {
  return functions.flatMap((fn) => declaredConcurrency(fn, settings) ?? [])
}
