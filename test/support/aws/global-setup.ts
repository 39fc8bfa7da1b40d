import type { TestProject } from 'vitest/node'
import { EngineUnavailable, leaveAws } from './engine.ts'
import { engines } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Over which engine a project tests the AWS adapters. */
    engine?: keyof typeof engines
    /** Why this machine can't run the files of a project, where it can't. */
    unavailable?: string
  }
}

/** Starts the engine of a project and leads its workers there. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  leaveAws()
  const engine = engines[project.getProvidedContext().engine!]
  try {
    const { environment, stop } = await engine.start()
    project.config.env = environment
    return stop
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    project.provide('unavailable', `${engine.name} is not available on this machine: ${error.message}`)
  }
}
