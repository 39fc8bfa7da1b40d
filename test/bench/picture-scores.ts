import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keptInCache } from '../support/aws/cache.ts'
import { installationStep } from '../support/aws/installation.ts'

const run = promisify(execFile)
const VERSION = '0.5.2'

/**
 * SSIMULACRA2, which says how much like its reference a picture looks: 100 is the same, 90 can't be told apart side by side, 70 is good.
 * @returns what scores a PNG against another of the same size
 * @throws EngineUnavailable where there is no cargo to build it with, or no registry
 */
export async function openScores(): Promise<(reference: string, picture: string) => Promise<number>> {
  const home = await keptInCache(`ssimulacra2-${VERSION}`, async (into) => {
    console.log(`building ssimulacra2_rs ${VERSION} (cargo)`)
    const target = { ...process.env, CARGO_TARGET_DIR: join(into, 'target') }
    const args = ['install', 'ssimulacra2_rs', '--version', VERSION, '--no-default-features', '--root', into]
    await installationStep('cargo', args, { env: target })
  })
  return async (reference, picture) => {
    const { stdout } = await run(join(home, 'bin/ssimulacra2_rs'), ['image', reference, picture])
    const score = /Score: (-?[\d.]+)/.exec(stdout)?.[1]
    if (score === undefined) throw new Error(`ssimulacra2_rs said: ${stdout}`)
    return Number(score)
  }
}
