import { parseArgs } from 'node:util'
import { smokeStack } from './stack.ts'

/** `npm run smoke -- --stack NAME`: tries out a deployed stack, and leaves nothing. Exit code 1 when something failed. */
const { values } = parseArgs({ options: { stack: { type: 'string' } } })
if (!values.stack) {
  console.error('usage: npm run smoke -- --stack NAME')
  process.exit(2)
}
// A host that never answered may keep a connection open.
process.exit((await smokeStack(values.stack)) ? 0 : 1)
