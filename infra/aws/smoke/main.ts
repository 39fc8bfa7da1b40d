import { parseArgs } from 'node:util'
import { describePlace, findPlace } from '../place.ts'
import { smokeStack } from './stack.ts'

/** `npm run smoke -- --stack NAME [--profile NAME]`: tests a deployed stack and cleans up. Exit code 1 when something failed. */
const { stack, profile } = optionsOf()
try {
  console.error(`Testing the stack ${stack} in ${describePlace(await findPlace(profile))}: takes a minute or two.`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
// Exits explicitly, because a host that never answered may keep a connection open.
process.exit((await smokeStack(stack)) ? 0 : 1)

function optionsOf(): { stack: string; profile: string | undefined } {
  try {
    const { stack, profile } = parseArgs({ options: { stack: { type: 'string' }, profile: { type: 'string' } } }).values
    if (stack) return { stack, profile }
  } catch (error) {
    console.error((error as Error).message)
  }
  console.error('usage: npm run smoke -- --stack NAME [--profile NAME]')
  process.exit(2)
}
