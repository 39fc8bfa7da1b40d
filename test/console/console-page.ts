import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Service } from '../support/service.ts'

/** The console in a browser, as a test sees it: by roles and names alone. */
export interface ConsolePage {
  page: Page
  context: BrowserContext
  /** Options of the listbox `Files`. */
  files: Locator
  folders: Locator
  status: Locator
  /** Names of the options of the listbox `Files` that are in the page. */
  names(): Promise<string[]>
  /** Opens an address of the console. */
  goTo(address: string): Promise<void>
  signIn(credentials?: { username: string; password: string }): Promise<void>
  /** Checks that nothing failed in the page and its policy stopped nothing, and closes it. */
  close(): Promise<void>
}

/** Opens the console where nobody is signed in. */
export async function openConsole(browser: Browser, service: Service, options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options })
  const complaints: string[] = []
  await context.exposeFunction('complain', (complaint: string) => complaints.push(complaint))
  await context.addInitScript(() => {
    const { complain } = window as unknown as { complain(text: string): void }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complain(`${violatedDirective}: ${blockedURI}`),
    )
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  const goTo = async (address: string) => {
    await page.goto(`${service.baseUrl}${address}`)
  }
  const list = page.getByRole('listbox', { name: 'Files' })
  return {
    page,
    context,
    files: list.getByRole('option'),
    async names() {
      const snapshot = await list.ariaSnapshot()
      return [...snapshot.matchAll(/- option "((?:[^"\\]|\\.)*)"/g)].map(([, name]) => JSON.parse(`"${name}"`))
    },
    folders: page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem'),
    status: page.getByRole('status').filter({ hasText: /file/i }).first(),
    goTo,
    async signIn({ username, password } = service.demo) {
      if (page.url() === 'about:blank') await goTo('/console/')
      await page.getByRole('textbox', { name: 'Username' }).fill(username)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Account' }).waitFor()
    },
    async close() {
      await context.close()
      assert.deepEqual(complaints, [])
    },
  }
}

/** The console where somebody is signed in. */
export async function signedIn(
  browser: Browser,
  service: Service,
  options: BrowserContextOptions & { address?: string; credentials?: { username: string; password: string } } = {},
): Promise<ConsolePage> {
  const { address = '/console/', credentials, ...context } = options
  const opened = await openConsole(browser, service, context)
  await opened.goTo(address)
  await opened.signIn(credentials)
  return opened
}
