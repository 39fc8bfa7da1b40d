// Runs first in the server, its workers and the command line.
//
// `npm start` sets two variables for the server, because they must be there before Node starts (2 cores):
// - MALLOC_MMAP_THRESHOLD_: glibc gives the 19 MB of each password hash back. 107 MB resident after 18 sign-ins, 330 MB without.
// - UV_THREADPOOL_SIZE: two threads more than Node's four, because password hashes take two at most (hashing-turns.ts). 29 uploads a second
//   while imports run, 21 without; 4 ms for a small download during a flood of sign-ins, 9 ms without.
// And a flag, --max-semi-space-size: small collections of garbage come often, so the bytes of uploads that were written are freed before they
// start large collections, which look at the whole heap. 8 ms of processor time for an upload of 2.6 MB, 14 ms without; requests cost the same.
require('./preflight.cjs')
const module_ = require('node:module')
const { join } = require('node:path')

// Kept inside the project, not in the system's temporary folder, where other users could put code for us to run.
module_.enableCompileCache(join(__dirname, '../node_modules/.cache/node'))
