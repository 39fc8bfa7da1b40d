/** Where the console is below the API's address. No route of the interface begins so. */
export const CONSOLE_PATH = '/console'

/** Whether a path is the console's. */
export const isOfConsole = (path: string): boolean => path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`)

/** Files other than the page are below this path. */
export const ASSETS_PATH = `${CONSOLE_PATH}/assets/`

/** The file that a path of the console names; undefined where it is an address within the page. */
export const fileOf = (path: string): string | undefined => (path.startsWith(ASSETS_PATH) ? path.slice(CONSOLE_PATH.length + 1) : undefined)
