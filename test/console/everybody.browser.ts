import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { putFailedJob } from '../support/failed-job.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { openConsole, signedIn } from './console-page.ts'
import { fill } from './library.ts'

/** What the tests of this file put into the library: these texts need no translation. */
const OWN =
  /^(picture|nothingatall|picture-\d\.jpg|a note\.txt|Berlin|Friends|CDN|Events|Press|Products|Public gallery|2026|Demo( user)?|import-media\.\d+|demo|demo@example\.com|jpg|image\/jpeg|en|da|de|card|width=240&height=160&fit=cover&output_format=auto)$/

describe('the console for everybody', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const { folder_id: folder, cdn_folder_id: cdn, company_id } = service.demo
  const ids = await fill(client, folder, ['picture-1.jpg', 'picture-2.jpg', 'picture-3.jpg'])
  await uploadAndImport(client, folder, Buffer.from('a note'), 'a note.txt')
  await client['replace-metadata']({ params: { id: ids[0]! }, body: { title: { en: 'Berlin' }, keywords: { en: ['Berlin'] } } })
  await client['copy-media']({ params: { id: ids[0]!, folderId: cdn! } })
  const clique = await client['create-clique']({ body: { name: 'Friends', svc_id: company_id } })
  await client['share-folder-with-clique']({ params: { id: clique.body.id, folderId: folder }, body: { access: 'READ' } })
  await client['move-media-to-trash']({ params: { id: ids[2]!, folderId: folder } })
  await client['move-folder-to-trash']({ params: { id: await newFolder('Berlin') } })
  await client['create-preset']({ body: { name: 'card', query: 'width=240&height=160&fit=cover&output_format=auto' } })
  const accounts = await provisioning(service)
  await putFailedJob(accounts, toCompanyId(company_id), 902_114)
  accounts.close()

  const files = (page: Page) => page.getByRole('listbox').first().getByRole('option')
  const ready = async (page: Page) => {
    await page.locator('[role=treeitem]').first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
  }

  /** Every view, and how to come there. Buttons are found by what they are, because their names differ by language. */
  const views: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'all files': async (page) => {
      await page.goto(`${service.baseUrl}/console/`)
      await expect.poll(() => files(page).count()).toBe(3)
    },
    'a list': async (page) => {
      await page.locator('fieldset button').last().click()
    },
    'a selection': async (page) => {
      await page.locator('fieldset button').first().click()
      await files(page).nth(1).click()
      await page.getByRole('toolbar').waitFor()
    },
    'editing many': async (page) => {
      await page.getByRole('toolbar').getByRole('button').nth(2).click()
      await page.getByRole('dialog').getByRole('combobox').first().waitFor()
    },
    filters: async (page) => {
      await page.goto(`${service.baseUrl}/console/search?q=picture&orientation=horizontal&media_type=image`)
      await ready(page)
      await page.locator('header .controls > button').first().click()
      await page.getByRole('dialog').waitFor()
    },
    'a search without hits': async (page) => {
      await page.goto(`${service.baseUrl}/console/search?q=nothingatall`)
      await ready(page)
    },
    'a folder with its menu': async (page) => {
      await page.goto(`${service.baseUrl}/console/folder/${service.demo.folder_id}`)
      await ready(page)
      await page.getByRole('treeitem', { name: 'Products' }).focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem').first().waitFor()
    },
    'sharing a folder': async (page) => {
      await page.getByRole('menuitem').nth(2).click()
      await page.getByRole('dialog').getByText('Friends').waitFor()
    },
    'sharing by link': async (page) => {
      await page.getByRole('dialog').locator('button.by-link').click()
      await page.getByRole('dialog').locator('input[type=date]').waitFor()
    },
    'the address of a new link': async (page) => {
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.getByRole('dialog').locator('input[readonly]').waitFor()
    },
    'links that share': async (page) => {
      await page.goto(`${service.baseUrl}/console/shares`)
      await page.getByRole('main').getByRole('listitem').first().waitFor()
      await ready(page)
    },
    'changing a link': async (page) => {
      await page.getByRole('main').getByRole('listitem').first().getByRole('button').nth(1).click()
      await page.getByRole('dialog').locator('input[type=date]').waitFor()
    },
    'a file': async (page) => {
      await page.goto(`${service.baseUrl}/console/file/${ids[0]}`)
      await ready(page)
      await page.locator('[role=dialog] dl').waitFor()
    },
    'who can see a file': async (page) => {
      await page.locator('[role=dialog] aside section button').click()
      await page.locator('dialog li').first().waitFor()
    },
    'versions and history': async (page) => {
      await page.goto(`${service.baseUrl}/console/file/${ids[0]}`)
      for (const index of [0, 1]) await page.locator('[role=dialog] aside button[aria-expanded]').nth(index).click()
      await page.locator('[role=dialog] aside ul li img').waitFor()
      await page.locator('[role=dialog] aside ol li').waitFor()
    },
    'a focal point': async (page) => {
      await page.goto(`${service.baseUrl}/console/file/${ids[0]}`)
      await page.locator('[role=dialog] button[aria-pressed]').click()
      await page.locator('[role=dialog] figure img').nth(2).waitFor()
    },
    'a trash': async (page) => {
      await page.goto(`${service.baseUrl}/console/trash`)
      await expect.poll(() => files(page).count()).toBe(1)
    },
    links: async (page) => {
      await page.goto(`${service.baseUrl}/console/links`)
      await page.getByRole('listitem').first().waitFor()
      await ready(page)
    },
    'an address that is built': async (page) => {
      await page.getByRole('main').getByRole('listitem').getByRole('button').nth(2).click()
      await page.getByRole('dialog').getByRole('img').waitFor()
    },
    presets: async (page) => {
      await page.goto(`${service.baseUrl}/console/presets`)
      await page.getByRole('listitem', { name: 'card' }).waitFor()
    },
    'a preset': async (page) => {
      await page.getByRole('listitem', { name: 'card' }).getByRole('button').first().click()
      await page.getByRole('dialog').getByRole('img').waitFor()
    },
    people: async (page) => {
      await page.goto(`${service.baseUrl}/console/people`)
      await page.getByText('Demo user').first().waitFor()
    },
    'adding a person': async (page) => {
      await page.getByRole('main').locator('button.primary').click()
      await page.getByRole('dialog').locator('input[type=email]').waitFor()
    },
    'the actions of a person': async (page) => {
      await page.goto(`${service.baseUrl}/console/people`)
      await page.locator('tbody button').first().click()
      await page.getByRole('menuitem').first().waitFor()
    },
    'changing a password': async (page) => {
      await page.goto(`${service.baseUrl}/console/groups`)
      await page.locator('.tools button').last().click()
      await page.getByRole('menuitem').first().click()
      await page.getByRole('dialog').locator('input[type=password]').first().waitFor()
    },
    groups: async (page) => {
      await page.goto(`${service.baseUrl}/console/groups`)
      await page.getByText('Friends').first().waitFor()
    },
    keys: async (page) => {
      await page.goto(`${service.baseUrl}/console/keys`)
      await page.locator('code').first().waitFor()
    },
    usage: async (page) => {
      await page.goto(`${service.baseUrl}/console/usage`)
      await page.getByRole('rowheader').first().waitFor()
      await page.getByText('import-media').waitFor()
    },
    activity: async (page) => {
      await page.goto(`${service.baseUrl}/console/activity`)
      await page.locator('time').first().waitFor()
    },
    'what is new': async (page) => {
      await page.goto(`${service.baseUrl}/console/keys`)
      await page.locator('.tools button').last().click()
      await page.getByRole('menuitem').nth(2).click()
      await page.getByRole('dialog').waitFor()
    },
    'the keyboard': async (page) => {
      await page.locator('body').press('?')
      await page.getByRole('dialog').waitFor()
    },
  }

  test('axe finds nothing in any view, light and dark', async () => {
    const check = async (page: Page, name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        const found = violations.map(
          ({ id, nodes }) =>
            `${name}, ${colorScheme}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
        )
        assert.deepEqual(found, [])
      }
    }
    const signIn = await openConsole(browser, service, { reducedMotion: 'reduce' })
    await signIn.goTo('/console/')
    await signIn.page.getByRole('button', { name: 'Sign in' }).waitFor()
    await check(signIn.page, 'sign-in')
    await signIn.close()
    const opened = await signedIn(browser, service, { reducedMotion: 'reduce' })
    for (const [name, show] of Object.entries(views)) {
      await show(opened.page)
      await check(opened.page, name)
    }
    await opened.close()
  })

  test.each([320, 640])('nothing needs sideways scrolling in %i pixels', async (width) => {
    const opened = await signedIn(browser, service, { viewport: { width, height: 640 } })
    for (const [name, show] of Object.entries(views)) {
      if (name === 'a folder with its menu' && width < 900) {
        await opened.page.goto(`${service.baseUrl}/console/folder/${service.demo.folder_id}`)
        await opened.page.getByRole('button', { name: 'Menu' }).click()
        await opened.page.getByRole('treeitem', { name: 'Products' }).focus()
        await opened.page.keyboard.press('Shift+F10')
        await opened.page.getByRole('menuitem').first().waitFor()
      } else await show(opened.page)
      const overflowing = await opened.page.evaluate(() => {
        const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        // What scrolls by itself may be wider inside; the page and what lies in it may not.
        const scrolls = (element: Element | null): boolean =>
          element !== null && (/(auto|scroll|hidden)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
        const wide = [...document.body.querySelectorAll('*')].filter((element) => {
          const { left, right, width } = element.getBoundingClientRect()
          return width > 1 && isShown(element) && (right > innerWidth + 1 || left < -1) && !scrolls(element.parentElement)
        })
        return [document.documentElement.scrollWidth > innerWidth, ...wide.map((element) => element.outerHTML.slice(0, 120))]
      })
      assert.deepEqual(overflowing, [false], name)
      const scrollers = await opened.page.evaluate(() =>
        [...document.body.querySelectorAll('*')]
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && /(auto|scroll)/.test(getComputedStyle(element).overflowX))
          .filter((element) => element.getAttribute('role') !== 'toolbar')
          .map((element) => element.outerHTML.slice(0, 120)),
      )
      assert.deepEqual(scrollers, [], name)
    }
    await opened.close()
  })

  test('nothing is left untranslated', async () => {
    const opened = await signedIn(browser, service)
    await opened.page.evaluate(() => localStorage.setItem('console.language', 'pseudo'))
    for (const [name, show] of Object.entries(views)) {
      await show(opened.page)
      const texts = await opened.page.evaluate(() => {
        const found: string[] = []
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          if (node.parentElement?.checkVisibility()) found.push(node.nodeValue ?? '')
        for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
          for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(element.getAttribute(name) ?? '')
        return found
      })
      const isPlain = (text: string) => text !== '' && !/^[\d\s\p{P}\p{S}]*$/u.test(text) && !/⟦.*⟧/s.test(text)
      // Units and dates come from the browser, addresses and keys from the library.
      const isOwn = (text: string) =>
        OWN.test(text) ||
        /^(https?:|[0-9a-f]{16,}|(\d+ × \d+ · )?[\d.,]+ ?(byte|kB|MB|GB)s?$|\d+ [A-Z][a-z]{2} 20\d\d|[A-Z][a-z]{2} \d+, 20\d\d)/.test(text)
      const left = texts.map((text) => text.trim()).filter((text) => isPlain(text) && !isOwn(text))
      assert.deepEqual(
        [...new Set(left)].filter(
          (text) =>
            !/^(AVIF|WebP|JPEG|PNG|English|Danish|German|Dansk|Deutsch|ISO|MD5|Ctrl\+Enter|Ctrl Enter|Ctrl A|Home, End|Page ↑, Page ↓|Shift|Enter|Esc)$/.test(
              text,
            ),
        ),
        [],
        name,
      )
    }
    await opened.close()
  })

  test('the main job is done by keyboard alone: find, open, change, save, close', async () => {
    const opened = await signedIn(browser, service)
    const { page } = opened
    await page.keyboard.press('/')
    await page.keyboard.type('picture-2')
    await page.keyboard.press('Enter')
    await expect.poll(() => opened.files.count()).toBe(1)
    const name = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    for (let presses = 0; presses < 40 && (await name()) !== 'picture-2.jpg'; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const label = () => page.evaluate(() => document.activeElement?.closest('label')?.textContent?.trim())
    for (let presses = 0; presses < 40 && (await label()) !== 'Title'; presses++) await page.keyboard.press('Tab')
    await page.keyboard.type('By keys')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(name).toBe('By keys')
    await opened.close()
  })
})
