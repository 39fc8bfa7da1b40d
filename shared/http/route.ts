export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method and path; `{name}` is a path parameter, `{name+}` takes the rest of the path. */
export type Route = `${Method} /${string}`

/** Names of a route's path parameters: `'id' | 'folderId'`. */
export type ParamName<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Own}+` ? Own : Name) | ParamName<Rest>
  : never

/** Method and path of a route. */
export function splitRoute(route: Route): { method: Method; path: string } {
  const at = route.indexOf(' ')
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) }
}
