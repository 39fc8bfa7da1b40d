import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'vitest'

const pages = globSync('**/*.md', { exclude: ['**/node_modules', 'dist', 'data', 'cdk.out', '**/.cache'] })

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): Set<string> {
  const headings = readFileSync(page, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('links of the READMEs', () => {
  test.each(pages)('of %s lead to files and headings that are there', (page) => {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      assert.ok(existsSync(file), `${page}: ${target} is not there`)
      if (anchor !== undefined) assert.ok(statSync(file).isFile() && anchors(file).has(anchor), `${page}: ${target} is no heading`)
    }
  })
})
