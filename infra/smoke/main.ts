import { parseArgs } from 'node:util'
import { smokeStack } from './stack.ts'

/** `npm run smoke -- --stack NAME`: tests a deployed stack and cleans up. Exit code 1 when something failed. */
const { values } = parseArgs({ options: { stack: { type: 'string' } } })
if (!values.stack) {
  console.error('usage: npm run smoke -- --stack NAME')
  process.exit(2)
}
// Exits explicitly, because a host that never answered may keep a connection open.
process.exit((await smokeStack(values.stack)) ? 0 : 1)
