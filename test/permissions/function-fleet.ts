import { join } from 'node:path'
import type { Bundles } from '../../infra/bundling/bundle.ts'
import type { DeployedResource, Place } from './deployed-template.ts'
import type { Recorder } from './recorder.ts'
import { type RunningFunction, runFunction } from './running-function.ts'

/** The functions of a deployment, each as Lambda has it: its bundle, its environment, and an address of the emulator of its own. */
export class FunctionFleet {
  readonly #functions = new Map<string, RunningFunction>()
  readonly #log: string[] = []
  readonly #emulator: { endpoint: string; recorder: Recorder }
  readonly #bundles: Bundles
  readonly #place: Place

  /** @param emulator.endpoint its address, as it stands in the names of queues */
  constructor(emulator: { endpoint: string; recorder: Recorder }, bundles: Bundles, place: Place) {
    this.#emulator = emulator
    this.#bundles = bundles
    this.#place = place
  }

  /** @param lambda an `AWS::Lambda::Function` */
  async launch({ properties: { FunctionName, Environment } }: DeployedResource): Promise<RunningFunction> {
    const { endpoint, recorder } = this.#emulator
    const address = await recorder.addressFor(FunctionName)
    const environment: Record<string, string> = { ...lambdaEnvironment(address, this.#place), ...Environment?.Variables }
    for (const [name, value] of Object.entries(environment)) environment[name] = value.replaceAll(endpoint, address)
    const key: string = FunctionName.slice(this.#place.stackName.length + 1)
    const launched = runFunction(join(this.#bundles.directory(key), 'index.mjs'), environment, (text) => this.#log.push(text))
    this.#functions.set(key, launched)
    return launched
  }

  /** @param key names the function: `get-folder` */
  get(key: string): RunningFunction {
    const found = this.#functions.get(key)
    if (!found) throw new Error(`there is no function ${key}`)
    return found
  }

  /** What all of them have logged. */
  logged(): string {
    return this.#log.join('')
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((each) => each.stop()))
  }
}

/** What Lambda itself gives a function. */
function lambdaEnvironment(address: string, { region }: Place): Record<string, string> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', PATH = '' } = process.env
  return { PATH, AWS_REGION: region, AWS_ENDPOINT_URL: address, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}
