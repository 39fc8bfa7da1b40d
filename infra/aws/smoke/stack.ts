import { need, openStack, outputsOf } from '../library/stack.ts'
import { astray, leading, missingRecords, ownNames } from './own-names.ts'
import { smokeTest } from './smoke-test.ts'

/**
 * Tests a deployed stack, with the AWS credentials of the environment, and prints each step. An interrupted test cleans up.
 * @returns whether everything went well
 */
export async function smokeStack(stack: string): Promise<boolean> {
  const interrupted = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const interrupt = () => interrupted.abort(new Error('interrupted'))
  for (const signal of signals) process.on(signal, interrupt)
  try {
    const outputs = await outputsOf(stack)
    const output = (name: string) => need(outputs, name, stack)
    const settings = { brand: output('Brand'), vendor: output('Vendor') }
    const target = { baseUrl: output('BaseUrl'), playerUrl: output('PlayerUrl'), ...settings, library: await openStack(stack) }
    console.log(`Trying out ${stack} at ${target.baseUrl}:`)
    const missing = await astray(ownNames(outputs))
    using _ = leading(missing)
    const isWell = await smokeTest(target, console.log, interrupted.signal)
    console.log(isWell ? 'All is well, and nothing of the test lasts.' : 'Something is wrong: see above.')
    for (const line of missingRecords(missing, outputs.has('HostedZone'))) console.log(line)
    return isWell
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return false
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}
