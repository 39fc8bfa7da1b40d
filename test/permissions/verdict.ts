import { Account, type Held, isWithin } from './account.ts'
import type { DeployedResource, Place } from './deployed-template.ts'
import { excessesOf, scopes } from './excesses.ts'
import { applies, listOf, type Statement } from './policy.ts'
import type { RecordedCall } from './recorded-calls.ts'
import { type Expected, roleAt, serviceAccesses } from './service-accesses.ts'

/**
 * A deployment with all that happened in it. What is wrong with its permissions is told in sentences:
 * - something that happens is denied, or something that must be denied is allowed
 * - a statement reaches further than any purpose can
 * - a statement that nothing needs
 * - a part of a statement that none of those who hold it need: what a function declares to use it gets whole, so it
 *   may not need all of it, but somebody must
 */
export class Trial {
  readonly #resources: readonly DeployedResource[]
  readonly #account: Account
  readonly #accesses: readonly Expected[]
  readonly #needed: readonly Expected[]
  readonly #neededBy: ReadonlyMap<string, Expected[]>
  /** Statements that say the same, of whom it is enough that one is needed. */
  readonly #alike: ReadonlyMap<string, Held[]>
  readonly #isScoped: (pattern: string) => boolean

  constructor(resources: readonly DeployedResource[], { calls, place }: { calls: readonly RecordedCall[]; place: Place }) {
    this.#resources = resources
    this.#account = new Account(resources)
    this.#accesses = [...callAccesses(calls, resources), ...serviceAccesses(resources, place)]
    this.#needed = this.#accesses.filter(({ denied }) => !denied)
    this.#neededBy = Map.groupBy(this.#needed, ({ by }) => by)
    this.#alike = Map.groupBy(this.#account.statements().filter(allows), likeness)
    this.#isScoped = scopes(resources)
  }

  problems(): string[] {
    const statements = this.#account.statements().filter(allows)
    return [
      ...this.#wrong(this.#account, this.#accesses),
      ...this.#tooWide(statements),
      ...this.#idle(statements),
      ...[...this.#alike.values()].flatMap((holders) => this.#unneededParts(holders)),
    ]
  }

  /** The problems that change where the policies of one resource do. @param changed undefined when the resource is gone */
  problemsWith(resource: DeployedResource, changed: DeployedResource | undefined): string[] {
    const account = new Account(this.#resources.flatMap((each) => (each === resource ? (changed ?? []) : each)))
    const ofResource = ({ owner }: Held) => owner === resource.id
    const after = account.statements().filter(ofResource)
    const touched = [...this.#account.statements().filter(ofResource), ...after]
    const places = [...new Set(touched.flatMap(({ at }) => at ?? []))]
    const holders = new Set(touched.map(({ by }) => by))
    const accesses = this.#accesses.filter((access) => holders.has(access.by) || places.some((at) => isWithin(at, access.resource)))
    const allowing = after.filter(allows)
    const alike = [...new Set(touched.filter(allows).map(likeness))].map((kind) => [
      ...(this.#alike.get(kind) ?? []).filter((held) => !ofResource(held)),
      ...allowing.filter((held) => likeness(held) === kind),
    ])
    return [
      ...this.#wrong(account, accesses),
      ...this.#tooWide(allowing),
      ...this.#idle(allowing),
      ...alike.filter(({ length }) => length > 0).flatMap((same) => this.#unneededParts(same)),
    ]
  }

  #wrong(account: Account, accesses: readonly Expected[]): string[] {
    const wrong = accesses
      .filter((access) => account.allows(access) === (access.denied === true))
      .map((access) => `${access.why}: ${access.action} on ${access.resource} by ${access.by} is ${access.denied ? 'allowed' : 'denied'}`)
    return [...new Set(wrong)]
  }

  #tooWide(statements: readonly Held[]): string[] {
    return statements.flatMap((held) => excessesOf(held, this.#isScoped))
  }

  #idle(statements: readonly Held[]): string[] {
    return statements
      .filter((held) => !this.#isUsed(held, held.statement))
      .map(({ owner, statement }) => `${owner} need no ${statement.Action} on ${statement.Resource}`)
  }

  #unneededParts(holders: readonly Held[]): string[] {
    return partsOf(holders[0]!.statement)
      .filter((part) => !holders.some((held) => this.#isUsed(held, part)))
      .map(({ Action, Resource }) => `${holders.map(({ owner }) => owner).join(', ')} need no ${Action} on ${Resource}`)
  }

  #isUsed({ by, at }: Held, part: Statement): boolean {
    return (by === undefined ? this.#needed : (this.#neededBy.get(by) ?? [])).some(
      (access) => (at === undefined || isWithin(at, access.resource)) && applies(part, access),
    )
  }
}

const allows = ({ statement }: Held) => statement.Effect === 'Allow'

const likeness = ({ owner, by, statement }: Held) => `${by ? '' : owner}${JSON.stringify(statement)}`

function callAccesses(calls: readonly RecordedCall[], resources: readonly DeployedResource[]): Expected[] {
  const roles = new Map(
    resources
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ properties }) => [properties.FunctionName, roleAt(properties.Role, resources)]),
  )
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]))
  return [...distinct.values()].map(({ caller, ...access }) => ({ why: caller, by: roles.get(caller) ?? caller, ...access }))
}

/** One statement for each action and resource that a statement names. */
function partsOf(statement: Statement): Statement[] {
  const { Resource, ...rest } = statement
  return listOf(statement.Action).flatMap((Action) =>
    Resource === undefined ? [{ ...rest, Action }] : listOf(Resource).map((each) => ({ ...rest, Action, Resource: each })),
  )
}
