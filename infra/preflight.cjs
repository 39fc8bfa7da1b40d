// Runs first (`node --require`) and refuses an old Node and missing packages with a sentence. It is JavaScript that every Node runs: an old one
// can't read the TypeScript that follows.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

// npm writes this file when it has installed everything.
if (!existsSync(join(__dirname, '../node_modules/.package-lock.json'))) {
  refuse('The packages of this project are not installed. Run npm ci first, then this again.')
}
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  refuse(
    `This needs Node 24.7 or newer, but it was started with ${process.version}. Run it through npm (npm start, npm run admin), which uses the Node that npm ci installed on Linux; elsewhere install a newer Node.`,
  )
}
