import { Names, Stack } from 'aws-cdk-lib'
import { Construct } from 'constructs'

/** Longest name, in characters, that every kind of global name allows. CloudFront's functions and access controls allow the least. */
const LONGEST = 64

/** Longest name of a region, with room for new ones. */
const LONGEST_REGION = 20

/**
 * A name for a resource that is global to the account, as all of CloudFront's are. The region is part of it, so stacks of one name in several
 * regions don't clash.
 * @param id of the resource, within its scope
 */
export function accountWideName(scope: Construct, id: string): string {
  const longest = LONGEST - LONGEST_REGION - 1
  const own = Names.uniqueResourceName(new Construct(scope, `${id}Name`), { maxLength: longest, separator: '-' })
  return `${own}-${Stack.of(scope).region}`
}
