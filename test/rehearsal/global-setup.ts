import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ToolPackages } from '../../infra/aws/bundling/tool-packages.ts'
import { stackIdOf, stackResources } from '../../infra/aws/library/stack-resources.ts'
import { EngineUnavailable, leaveAws } from '../support/aws/engine.ts'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { openStage, type Stage } from '../support/aws/stack-stage.ts'
import { limits } from './limits.ts'

const STACK = 'media-library'

declare module 'vitest' {
  interface ProvidedContext {
    rehearsal?: {
      /** A temporary folder. */
      folder: string
      /** The files that `cdk synth` wrote, before they were deployed. */
      synthesized: Awaited<ReturnType<Assembly['files']>>
      /** Path of the record of what functions ask AWS for. */
      calls: string
      /** Physical ids of the stack's resources, by logical id. */
      ids: Record<string, string>
      stackId: string
      /** What was in the account before anything was deployed, as `inventory()` lists it. */
      before: string[]
    }
  }
}

/**
 * Creates the stack with default settings on an emulator of AWS, once for all projects of the rehearsal, and leads their workers there.
 * Where the emulator can't be had, no file runs.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { rehearsal, unavailable } = vitest.getRootProject().getProvidedContext()
  if (rehearsal || unavailable) return
  leaveAws()
  try {
    const stage = await openStage()
    try {
      vitest.provide('rehearsal', await deploy(stage))
    } catch (error) {
      await stage.stop()
      throw error
    }
    console.log(`not proved here:\n${limits.map((limit) => `  - ${limit}`).join('\n')}`)
    return stage.stop
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    vitest.provide('unavailable', `the stack can't be rehearsed on this machine: ${error.message}`)
  }
}

async function deploy({ cdk, folder, calls, environment, prepare }: Stage) {
  await (await ToolPackages.of(process.cwd())).fetch()
  const [assembly] = await Promise.all([Assembly.synthesize(cdk, join(folder, STACK)), prepare()])
  const [before, synthesized] = await Promise.all([inventory(environment), assembly.files()])
  await cdk.deploy(assembly)
  const { BaseUrl } = (await stateOf(STACK, environment)).outputs
  // Node reads some of these as it starts, so the workers get them all from this process.
  Object.assign(process.env, environment, {
    SERVICE_URL: BaseUrl,
    SERVICE_STACK: STACK,
    SERVICE_EMULATOR: environment.AWS_ENDPOINT_URL,
  })
  return {
    folder,
    synthesized,
    calls,
    stackId: await stackIdOf(STACK),
    ids: Object.fromEntries((await stackResources(STACK)).map(({ id, physicalId }) => [id, physicalId])),
    before,
  }
}
