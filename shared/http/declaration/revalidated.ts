import type * as z from 'zod'
import type { Endpoint } from './endpoint.ts'
import type { Output } from './results.ts'
import { splitRoute } from './route.ts'

/**
 * Whether clients may keep the answers of an endpoint and ask whether they have changed: those of a GET that lists something. Nobody keeps a
 * list with secrets, or of what is wrong at the moment. In one with signed URLs, which run out, each answer differs.
 */
export function isRevalidated({ route, returns, uses }: Pick<Endpoint, 'route' | 'returns' | 'uses'>): boolean {
  const isKept = !uses.apiSecretsKey && !uses.health && !uses.urls
  return isKept && returns !== undefined && isList(returns) && splitRoute(route({ vendor: '' })).method === 'GET'
}

/** A list, or an object that holds one of objects. */
function isList(returns: Output): boolean {
  if (!('type' in returns)) return false
  if (isObject(returns)) return Object.values(returns.shape).some((field) => isArray(field) && isObject(field.element))
  return isArray(returns)
}

// By name instead of `instanceof`: a function that answers no JSON carries no zod.
const isArray = (schema: z.core.SomeType): schema is z.ZodArray => schema._zod.def.type === 'array'
const isObject = (schema: z.core.SomeType): schema is z.ZodObject => schema._zod.def.type === 'object'
