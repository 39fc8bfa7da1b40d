// Refuses systems, Nodes and missing packages that nothing runs with, each with a sentence. It is JavaScript that every Node reads: an old one
// can't read the TypeScript that follows. It runs first, in two ways:
// - `PATH=$(node infra/preflight.cjs)`, in the scripts of package.json, by whatever Node the machine has: prints the PATH of the machine
//   with the packages' Node before it. Some npms leave no link to that one in `node_modules/.bin` (10.8 of Node 20, 10.9 of Node 22).
// - `node --require ./infra/preflight.cjs`, in the Node that runs the program.
const { existsSync } = require('node:fs')
const { delimiter, dirname, join } = require('node:path')

const MODULES = join(__dirname, '../node_modules')
const [major, minor] = process.versions.node.split('.').map(Number)

function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

/** Refuses what this Node can't do, where it runs the program itself. */
function refuseOldNode() {
  if (major > 24 || (major === 24 && minor >= 7)) return
  refuse(
    `This needs Node 24.7 or newer, but it was started with ${process.version}. Run it through npm (npm start, npm run admin), which uses the Node that npm ci installed on Linux; elsewhere install a newer Node.`,
  )
}

/** Only musl's systems name no version of glibc. */
function hasMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}

/** The folder of the Node that programs run on. */
function folderOfNode() {
  const packaged = join(MODULES, `node-${process.platform}-${process.arch}/bin`)
  if (existsSync(join(packaged, 'node'))) return packaged
  refuseOldNode()
  return dirname(process.execPath)
}

if (process.platform === 'win32')
  refuse('The media library runs on Linux and macOS. On Windows, run it in the Windows Subsystem for Linux (wsl --install).')
// npm writes this file when it has installed everything.
if (!existsSync(join(MODULES, '.package-lock.json')))
  refuse('The packages of this project are not installed. Run npm ci first, then this again.')
// What runs the library needs no packages of development; `npm ci --omit=dev` leaves them out.
const script = process.env.npm_lifecycle_event
const isForAll = [undefined, 'start', 'admin', 'prepare'].includes(script)
if (!isForAll && !existsSync(join(MODULES, 'vitest')))
  refuse(`npm run ${script} needs packages that npm ci --omit=dev leaves out. Run npm ci, then this again.`)
if (require.main !== module) refuseOldNode()
else {
  if (major < 20) refuse(`The media library needs Node.js 20 or newer, but this is ${process.version}.`)
  if (hasMusl()) refuse('The media library runs on Linux with glibc: Debian, Ubuntu, Fedora. Alpine Linux has musl in its place.')
  process.stdout.write(`${folderOfNode()}${delimiter}${process.env.PATH}\n`)
}
