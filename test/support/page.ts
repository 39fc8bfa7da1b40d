import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'

/** A page whose script runs without a browser. It has a form, a field and a line of status, and nothing else. */
export interface OpenPage {
  /** Types a password and sends the form. Resolves when the page has the service's answer. */
  submit(password: string): Promise<void>
  status(): string
  formIsHidden(): boolean
  /** The address that the browser shows and keeps. */
  address(): string
}

/** Opens a page of the service. @param html of the answer */
export function openPage(html: string, { baseUrl, path, hash }: { baseUrl: string; path: string; hash: string }): OpenPage {
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1]
  assert.ok(script, 'the page has a script')
  const listeners = new Map<string, (event: { preventDefault(): void }) => Promise<void>>()
  const element = (extra: object = {}) => ({
    hidden: false,
    disabled: false,
    checked: false,
    type: 'password',
    value: '',
    textContent: '',
    addEventListener(type: string, listener: (event: { preventDefault(): void }) => Promise<void>) {
      listeners.set(type, listener)
    },
    ...extra,
  })
  const elements: Record<string, ReturnType<typeof element>> = {
    form: element({ querySelector: () => element() }),
    '#password': element(),
    '#show': element(),
    '#status': element(),
  }
  let address = path + hash
  runInNewContext(script, {
    document: { querySelector: (selector: string) => elements[selector] },
    location: { hash, pathname: path },
    history: {
      replaceState(_state: unknown, _title: string, shown: string) {
        address = shown
      },
    },
    URLSearchParams,
    fetch: (target: string, init: RequestInit) => fetch(new URL(target, baseUrl), init),
  })
  return {
    async submit(password) {
      elements['#password']!.value = password
      await listeners.get('submit')!({ preventDefault: () => undefined })
    },
    status: () => elements['#status']!.textContent,
    formIsHidden: () => elements.form!.hidden,
    address: () => address,
  }
}
