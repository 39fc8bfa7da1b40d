// Runs before everything else (`node --import`), in plain JavaScript: an older Node could not even read the TypeScript that follows.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(
    `This needs Node 24.7 or newer, but it was started with ${process.version}. Run it through npm (npm start, npm run admin), which uses the Node that npm ci installed, or install a newer Node.\n`,
  )
  process.exit(1)
}
// Kept inside the project, not in the system's temporary folder, where other users could put code for us to run.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
