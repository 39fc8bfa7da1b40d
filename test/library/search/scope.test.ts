import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { FolderScope } from '../../../shared/backends/search/port.ts'
import { type RightSources, TreeRights } from '../../../shared/library/access/tree-rights.ts'
import { FoldedTags } from '../../../shared/library/search/folded-tags.ts'
import { SearchScope } from '../../../shared/library/search/scope.ts'
import {
  contentsOf,
  type FolderRecord,
  FULL_RIGHTS,
  holds,
  NO_RIGHTS,
  type RightSet,
  rightSet,
} from '../../../shared/library/tree/folder.ts'
import { inheritedTags, type Tree, trashOwner } from '../../../shared/library/tree/tree.ts'
import { type FolderId, toCompanyId, toUserId } from '../../../shared/vocabulary/ids.ts'
import type { ParsedTerm } from '../../../shared/vocabulary/parse-query.ts'
import { anyFolderId, anyShares, anyTree, tags, users } from '../tree/random-trees.ts'

const holdings: fc.Arbitrary<RightSources> = fc.oneof(
  fc.constant({ everywhere: rightSet(['READ']), userId: undefined, shares: new Map() }),
  fc.record({
    everywhere: fc.constantFrom(NO_RIGHTS, FULL_RIGHTS),
    userId: fc.constantFrom(...users, toUserId(9)),
    shares: fc.oneof(fc.constant(new Map<FolderId, RightSet>()), anyShares),
  }),
)

const term: fc.Arbitrary<ParsedTerm> = fc.record({
  words: fc.constantFrom(['sun'], ['wine'], ['un'], ['red', 'wi'], ['ete'], ['nothing']),
  matching: fc.constantFrom('prefix', 'word', 'infix' as const),
  excluded: fc.constant(false),
})

const search = fc.record({
  holdings,
  asked: fc.option(fc.array(anyFolderId, { maxLength: 4 }), { nil: undefined }),
  recursive: fc.boolean(),
  term,
})

/** Rights the long way: from folder to folder, upwards. */
function rightsOn(tree: Tree, folder: FolderRecord, { everywhere, userId, shares }: RightSources): RightSet {
  const owner = trashOwner(tree, folder)
  if (owner !== undefined) return owner === userId ? FULL_RIGHTS : NO_RIGHTS
  return tree.chain(folder.folderId)!.reduce((rights, { folderId, grants }) => {
    return rights | rightSet(grants[userId ?? 0] ?? []) | (shares.get(folderId) ?? NO_RIGHTS)
  }, everywhere)
}

const inScope = (scope: FolderScope, contents: number) =>
  'only' in scope ? scope.only.includes(contents) : !scope.except.includes(contents)

test('a search covers what a look at every folder says, whoever asked before on the same tree', () => {
  fc.assert(
    fc.property(anyTree, fc.array(search, { minLength: 1, maxLength: 8 }), (tree, searches) => {
      for (const { holdings: held, asked, recursive, term: wanted } of searches) {
        const rights = new TreeRights(tree, held)
        const scope = new SearchScope(toCompanyId(1), rights, asked && tree.layout.ranges(asked, recursive))
        const tagged = new Set(scope.foldersTagged(wanted))
        const matching = tags.filter((tag) => new FoldedTags([tag]).matching(wanted).length > 0)
        for (const folder of tree.everyStored()) {
          const { folderId } = folder
          const contents = contentsOf(folder)
          const isThere = tree.get(folderId) !== undefined
          const right = isThere ? rightsOn(tree, folder, held) : NO_RIGHTS
          assert.equal(rights.of(folder), right)
          const isUsual = holds(right, 'READ') && trashOwner(tree, folder) === undefined
          const isAsked = asked?.some((id) => (recursive ? tree.isWithin(folderId, id) : id === folderId)) ?? false
          const isSearched = asked ? isAsked && holds(right, 'READ') : isUsual
          const isShown = isUsual || (isAsked && holds(right, 'READ'))
          assert.equal(inScope(scope.scope, contents), isSearched)
          assert.equal(scope.searched(contents), isSearched ? folderId : undefined)
          assert.equal(scope.shown(contents), isShown ? folderId : undefined)
          const hasTag = isThere && inheritedTags(tree, folderId).some((tag) => matching.some((one) => one === tag))
          assert.equal(tagged.has(contents), isShown && hasTag)
        }
      }
    }),
    { numRuns: 500 },
  )
})
