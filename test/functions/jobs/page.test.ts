import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { events, openSearchEvents } from '../../../functions/events.ts'

test('the page of functions that no request starts names each, and no other', () => {
  const [, section = ''] = readFileSync('functions/jobs/README.md', 'utf8').split(/^## /m)
  const named = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(named.sort(), Object.keys({ ...events, ...openSearchEvents }).sort())
})
