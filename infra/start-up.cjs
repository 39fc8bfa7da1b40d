// First of all in the server, its workers and the command line.
require('./preflight.cjs')
const module_ = require('node:module')
const { join } = require('node:path')

// Kept inside the project, not in the system's temporary folder, where other users could put code for us to run.
module_.enableCompileCache(join(__dirname, '../node_modules/.cache/node'))
