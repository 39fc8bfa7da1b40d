import type { Settings } from '../../settings.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method and path; `{name}` is a path parameter, `{name+}` takes the rest of the path. */
export type Route = `${Method} /${string}`

/** Settings that routes may name: in `GET /search/<vendor>/download` the value of `vendor` replaces `<vendor>`. */
export type RouteSettings = Pick<Settings, 'vendor'>

/** A route in a table of endpoints. Its reader must give the settings that it may name. */
export type DeclaredRoute = (settings: RouteSettings) => Route

/** @param template may name settings */
export function declaredRoute(template: Route): DeclaredRoute {
  return ({ vendor }) => template.replace('<vendor>', vendor) as Route
}

/** `R`, or never when it names an unknown setting. */
export type KnownSettings<R extends Route> = R extends `${string}<${infer Name}>${string}`
  ? Name extends keyof RouteSettings
    ? R
    : never
  : R

/** Names of a route's path parameters: `'id' | 'folderId'`. */
export type ParamName<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Own}+` ? Own : Name) | ParamName<Rest>
  : never

/** Method and path of a route. */
export function splitRoute(route: Route): { method: Method; path: string } {
  const at = route.indexOf(' ')
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) }
}
