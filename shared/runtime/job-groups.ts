import { isJob, type Job, type NamedFunction } from './consumer.ts'

/** A function of a deployed service that does jobs: of one kind, or of all kinds of a group. It has what the neediest of them declares. */
export interface JobGroup {
  /** Names the function. */
  name: string
  kinds: readonly NamedFunction<Job>[]
  /** Jobs at a time, at most. */
  runs: number
  summary: string
  timeoutSeconds: number
  memoryMb?: number
  /** Space for temporary files in MB. */
  temporaryMb?: number
}

/** The functions that do the jobs of a table. */
export function jobGroups(functions: readonly NamedFunction[]): JobGroup[] {
  const groups = Map.groupBy(functions.filter(isJob), ({ trigger }) => trigger.group)
  return [...groups].map(([name, kinds]) => ({
    name,
    kinds,
    runs: Math.max(...kinds.map(({ trigger }) => trigger.runs)),
    summary: kinds.length === 1 ? kinds[0]!.summary : `Does jobs: ${kinds.map((kind) => kind.name).join(', ')}`,
    timeoutSeconds: Math.max(...kinds.map(({ timeoutSeconds }) => timeoutSeconds)),
    ...most(kinds, 'memoryMb'),
    ...most(kinds, 'temporaryMb'),
  }))
}

function most<Name extends 'memoryMb' | 'temporaryMb'>(kinds: JobGroup['kinds'], name: Name): { [Each in Name]?: number } {
  const declared = kinds.flatMap((kind) => kind[name] ?? [])
  return declared.length === 0 ? {} : ({ [name]: Math.max(...declared) } as { [Each in Name]: number })
}
