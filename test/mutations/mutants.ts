import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { areas } from './areas.ts'

/** One small change of a source file, of the kind that people make by mistake. */
export interface Mutant {
  id: number
  area: string
  /** Relative to the project. */
  file: string
  line: number
  /** Of the text that it replaces. */
  start: number
  end: number
  original: string
  mutated: string
  /** Whether the text is a statement, or an expression. */
  isStatement: boolean
}

type Found = Omit<Mutant, 'id' | 'area' | 'file' | 'line'>

const { SyntaxKind } = ts

const swapped: Partial<Record<ts.SyntaxKind, string>> = {
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
}
const swappedMethods = new Map([
  ['some', 'every'],
  ['every', 'some'],
])
const droppedMethods = ['filter', 'sort', 'toSorted', 'slice', 'reverse', 'toReversed']

/**
 * The mutants of a seed: as many of each area. A mutant's place in the order depends on its file and its text alone, so a change of other code
 * hardly changes which are chosen.
 */
export function seededMutants(seed: number, perArea: number): Mutant[] {
  const chosen = Object.entries(areas).flatMap(([area, patterns]) => {
    const all = globSync([...patterns])
      .toSorted()
      .flatMap((file) => mutantsOf(file).map((mutant) => ({ ...mutant, area })))
    const seen = new Map<string, number>()
    const ranked = all.map((mutant) => {
      const text = `${mutant.file} ${mutant.original} ${mutant.mutated}`
      const occurrence = seen.get(text) ?? 0
      seen.set(text, occurrence + 1)
      return { mutant, rank: createHash('sha256').update(`${seed} ${occurrence} ${text}`).digest('hex') }
    })
    return withoutOverlaps(ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ mutant }) => mutant)).slice(0, perArea)
  })
  return chosen.map((mutant, id) => ({ ...mutant, id }))
}

function withoutOverlaps<M extends Omit<Mutant, 'id'>>(mutants: readonly M[]): M[] {
  const kept: M[] = []
  for (const mutant of mutants) {
    const overlaps = (other: M) => other.file === mutant.file && other.start < mutant.end && mutant.start < other.end
    if (!kept.some(overlaps)) kept.push(mutant)
  }
  return kept
}

function mutantsOf(file: string): Omit<Mutant, 'id' | 'area'>[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  const visit = (node: ts.Node, inFunction: boolean) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    // What a module does once, when it is loaded, can't be switched on and off.
    if (inFunction) found.push(...changesOf(node))
    node.forEachChild((child) => visit(child, inFunction || ts.isFunctionLike(node)))
  }
  visit(source, false)
  return found.map((mutant) => ({ ...mutant, file, line: source.getLineAndCharacterOfPosition(mutant.start).line + 1 }))
}

function changesOf(node: ts.Node): Found[] {
  const change = (mutated: string, isStatement = false) => {
    return { start: node.getStart(), end: node.end, original: node.getText(), mutated, isStatement }
  }
  if (ts.isBinaryExpression(node)) {
    const operator = swapped[node.operatorToken.kind]
    return operator ? [change(`(${node.left.getText()}) ${operator} (${node.right.getText()})`)] : []
  }
  if (node.kind === SyntaxKind.TrueKeyword && isValue(node)) return [change('false')]
  if (node.kind === SyntaxKind.FalseKeyword && isValue(node)) return [change('true')]
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) return [change(`!!${node.operand.getText()}`)]
  if (isCondition(node)) return [change('true'), change('false')]
  if (ts.isThrowStatement(node)) return [change('', true)]
  if (ts.isExpressionStatement(node) && !/^(await )?(log|this\.#?log)\b/.test(node.getText())) return [change('', true)]
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node)) return [change('[]')]
  return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) ? methodChanges(node, node.expression, change) : []
}

function methodChanges(call: ts.CallExpression, { expression, name }: ts.PropertyAccessExpression, change: (mutated: string) => Found) {
  const rest = call.getText().slice(name.end - call.getStart())
  const other = swappedMethods.get(name.text)
  if (other) return [change(`${call.getText().slice(0, name.getStart() - call.getStart())}${other}${rest}`)]
  return droppedMethods.includes(name.text) ? [change(expression.getText())] : []
}

/** A condition that is no operator itself: those are changed by other rules. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node
  const isAsked =
    (ts.isIfStatement(parent) && parent.expression === node) || (ts.isConditionalExpression(parent) && parent.condition === node)
  return isAsked && !ts.isPrefixUnaryExpression(node)
}

function isValue({ parent }: ts.Node): boolean {
  return !ts.isLiteralTypeNode(parent) && !ts.isBindingElement(parent) && !ts.isAsExpression(parent) && !isAssigned(parent)
}

/** Patterns of assignments and of loops look like literals. */
function isAssigned(parent: ts.Node): boolean {
  return (ts.isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.EqualsToken) || ts.isForOfStatement(parent)
}
