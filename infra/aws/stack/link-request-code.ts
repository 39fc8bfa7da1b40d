import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const ENTRY = fileURLToPath(new URL('./link-request.ts', import.meta.url))

/** Pixels that sizes of pictures are rounded up to: a link has few shapes then, however many sizes are asked for. */
export const SIZE_STEPS = [64, 160, 320, 640, 1_024, 1_600, 2_560, 4_096]

/** CloudFront finds its function by this name, and knows no export. */
const EXPORT = /export\{(\w+) as handler\};\n$/

/**
 * The edge function of links as CloudFront takes it: one text of at most 10,240 bytes that imports nothing but CloudFront's own module.
 * @param hasSteps whether it rounds sizes up
 */
export function linkRequestCode(hasSteps: boolean): string {
  const { outputFiles } = buildSync({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'esm',
    // The runtime knows parts of later editions only: the syntax stays as it is written.
    target: 'es2018',
    supported: { 'object-extensions': false },
    minifyWhitespace: true,
    minifyIdentifiers: true,
    legalComments: 'none',
  })
  const [bundle] = outputFiles
  if (!bundle || !EXPORT.test(bundle.text)) throw new Error('The edge function of links has no handler.')
  return [
    "import cf from 'cloudfront'",
    '// Made of shared/http/protocol/link-request.ts',
    `const SIZE_STEPS = ${JSON.stringify(hasSteps ? SIZE_STEPS : [])}`,
    bundle.text.replace(EXPORT, '\nfunction handler(event) { return $1(event) }\n'),
  ].join('\n')
}
