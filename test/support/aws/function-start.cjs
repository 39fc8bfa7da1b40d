const { existsSync, mkdirSync, readdirSync, symlinkSync } = require('node:fs')
const { registerHooks } = require('node:module')
const { join } = require('node:path')
const { PassThrough } = require('node:stream')
const { buffer } = require('node:stream/consumers')

const { recordCalls } = require('../../permissions/recorded-calls.ts')

const PACKAGES = join(__dirname, '../../../node_modules/@img')

/**
 * Gives a function what Lambda gives it, before the emulator loads its code, and takes its calls to AWS down. The code itself stays as it was
 * deployed.
 * @param {string} folder the function's own, with its code in `code`
 */
module.exports = (folder) => {
  globalThis.awslambda = wholeAnswers
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  redirectTemporaryFiles(join(folder, 'code'), `${temporary}/`)
  offerNativeParts(folder)
  recordCalls(process.env.SDK_CALLS, process.env.MINISTACK_ACCOUNT_ID)
}

/** Functions that stream on AWS give whole answers here, where an invocation has one result. */
const wholeAnswers = {
  streamifyResponse: (handle) => async (event, context) => {
    const output = new PassThrough()
    const [body] = await Promise.all([buffer(output), handle(event, output, context)])
    return { ...output.head, isBase64Encoded: true, body: body.toString('base64') }
  },
  HttpResponseStream: { from: (output, head) => Object.assign(output, { head }) },
}

/**
 * `/tmp` is each function's own on Lambda. Here all functions share the machine's, and each library has a company 0, whose search index would be
 * that of another.
 */
function redirectTemporaryFiles(code, temporary) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(`${code}/index.mjs`)) return loaded
      return { ...loaded, source: Buffer.from(loaded.source).toString().replaceAll('"/tmp/', `"${temporary}`) }
    },
  })
}

/** Where a function ships sharp for the processors of Lambda, it finds that of this machine's beside its code. */
function offerNativeParts(folder) {
  if (!existsSync(join(folder, 'code/node_modules/@img'))) return
  const offered = join(folder, 'node_modules/@img')
  mkdirSync(offered, { recursive: true })
  for (const name of readdirSync(PACKAGES)) if (name.startsWith('sharp-')) symlinkSync(join(PACKAGES, name), join(offered, name))
}
