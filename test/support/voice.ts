import assert from 'node:assert/strict'
import type { Problem } from '../../shared/library/errors.ts'

/** How the message of a problem begins: it continues its path, as in `name` `must be a string`. */
const PREDICATE = /^(is|are|must|has|have|belongs|names)\b/
const SENTENCE = /^[A-Z].*\.$/
/** Phrases of the validation library. */
const FOREIGN =
  /invalid (input|option|string|number|key|value|format|element|union|type)|expected|received|too (big|small)|unrecognized|undefined|\bNaN\b|pattern|9007199254740991/i

/** Asserts that problems are worded as this service words them, not as the validation library does. */
export function assertVoice(problems: readonly Problem[]): void {
  assert.ok(problems.length > 0 && problems.length <= 100, `${problems.length} problems`)
  for (const { path, message } of problems) {
    const told = `${path}: ${message}`
    assert.match(message, path === '' ? SENTENCE : PREDICATE, told)
    assert.doesNotMatch(message, FOREIGN, told)
    assert.ok(path.length <= 200 && message.length <= 200, told)
  }
}
