import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { type ConsolePage, openConsole, signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('share links in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const folder = await newFolder('Press kit')
  const ids = await fill(client, folder, ['one.jpg', 'two.jpg', 'three.jpg'])

  const shares = async () => (await client['list-shares']()).body.shares
  const items = ({ page }: ConsolePage) => page.getByRole('list', { name: 'Shared', exact: true }).getByRole('listitem')

  /** Opens the page behind a link as somebody who isn't signed in. */
  async function visit(address: string): Promise<ConsolePage> {
    const visitor = await openConsole(browser, service)
    await visitor.goTo(new URL(address).pathname)
    return visitor
  }

  test('a folder is shared: what, until when, for whom; its maker finds its address again, to be copied or mailed', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const { page } = opened
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await opened.folders.filter({ hasText: 'Press kit' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByRole('dialog', { name: 'Share Press kit' }).getByRole('button', { name: 'Share by link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Press kit by link' })
    await dialog.getByRole('textbox', { name: 'Title' }).fill('For the press & <b>you</b>')
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Please credit us.')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('open sesame')
    await dialog.getByRole('combobox', { name: 'Downloads' }).selectOption({ label: 'Originals' })
    await dialog.getByRole('checkbox', { name: 'People may send files into the folder' }).check()
    await dialog.getByLabel('Last day').fill('2001-02-03')
    await dialog.getByRole('button', { name: 'Make link' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'The last day can’t be in the past.' }).waitFor()
    await dialog.getByLabel('Last day').fill('2099-02-03')
    await dialog.getByRole('button', { name: 'Make link' }).click()

    const address = await dialog.getByRole('textbox', { name: 'Address' }).inputValue()
    await expect.poll(() => page.locator(':focus').inputValue()).toBe(address)
    await dialog.getByRole('button', { name: 'Copy address' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    const mail = new URL((await dialog.getByRole('link', { name: 'Mail' }).getAttribute('href'))!)
    assert.equal(mail.protocol, 'mailto:')
    assert.equal(mail.searchParams.get('subject'), 'For the press & <b>you</b>')
    assert.equal(mail.searchParams.get('body'), `Please credit us.\n\n${address}`)
    const [made] = await shares()
    assert.deepEqual(
      [made?.folder_id, made?.title, made?.message, made?.has_password, made?.allow],
      [folder, 'For the press & <b>you</b>', 'Please credit us.', true, { download: 'original', upload: true }],
    )
    assert.match(made!.expires!, /^2099-02-0[34]T/)

    const visitor = await visit(address)
    await visitor.page.getByLabel('Password').fill('open sesame')
    await visitor.page.getByRole('button', { name: 'Open' }).click()
    await visitor.page.getByRole('heading', { name: 'For the press & <b>you</b>' }).waitFor()
    await visitor.close()

    await dialog.getByRole('link', { name: 'Shared', exact: true }).click()
    await page.waitForURL('**/console/shares')
    await page.getByRole('heading', { name: 'Shared', exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => items(opened).innerText())
      .toMatch(/For the press & <b>you<\/b>.*Press kit.*until .*2099.*with password.*Downloads: Originals.*takes uploads.*1 visit ·/s)
    assert.equal((await items(opened).innerText()).includes(address), true)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await items(opened).getByRole('button', { name: 'Copy address' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await client['delete-share']({ params: { shareId: made!.id } })
    await opened.close()
  })

  test('files are shared; the link is changed, gets a new address, and is removed after a question', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const { page } = opened
    await expect.poll(() => opened.status.textContent()).toBe('3 files')
    await opened.files.nth(0).click()
    await opened.files.nth(2).click({ modifiers: ['Control'] })
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Share 2 files by link' })
    assert.equal(await dialog.getByRole('checkbox').count(), 0)
    await dialog.getByRole('textbox', { name: 'Password' }).fill('first')
    await dialog.getByRole('button', { name: 'Make link' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'at least 8 characters' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill('the first one')
    await dialog.getByRole('button', { name: 'Make link' }).click()
    const first = await dialog.getByRole('textbox', { name: 'Address' }).inputValue()
    await page.keyboard.press('Escape')
    const [made] = await shares()
    assert.deepEqual([...made!.media_ids!].sort(), [ids[0]!, ids[2]!].sort())

    await page.getByRole('link', { name: 'Shared', exact: true }).click()
    await items(opened).getByText('2 files').waitFor()
    await items(opened).getByRole('button', { name: 'Change' }).click()
    const change = page.getByRole('dialog', { name: 'Change the link 2 files' })
    await change.getByRole('textbox', { name: 'Title' }).fill('Two of them')
    await change.getByRole('checkbox', { name: 'Without password' }).check()
    await change.getByRole('combobox', { name: 'Downloads' }).selectOption({ label: 'Previews' })
    await change.getByRole('button', { name: 'Save' }).click()
    await change.waitFor({ state: 'detached' })
    await expect.poll(() => items(opened).innerText()).toMatch(/Two of them.*2 files.*no end.*Downloads: Previews/s)
    assert.doesNotMatch(await items(opened).innerText(), /password/)
    const visitor = await visit(first)
    await visitor.page.getByRole('heading', { name: 'Two of them' }).waitFor()

    await items(opened).getByRole('button', { name: 'New address' }).click()
    await page
      .getByRole('dialog', { name: /^Give the link Two of them a new address/ })
      .getByRole('button', { name: 'New address' })
      .click()
    const renewed = page.getByRole('dialog', { name: 'New address', exact: true }).getByRole('textbox', { name: 'Address' })
    const second = await renewed.inputValue()
    assert.notEqual(second, first)
    await page.keyboard.press('Escape')
    await items(opened).getByText(second).waitFor()
    assert.equal((await visitor.page.reload())?.status(), 404)
    await visitor.goTo(new URL(second).pathname)
    await visitor.page.getByRole('heading', { name: 'Two of them' }).waitFor()

    const question = page.getByRole('dialog', { name: /^Remove the link Two of them/ })
    await items(opened).getByRole('button', { name: 'Remove' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await shares()).length, 1)
    await items(opened).getByRole('button', { name: 'Remove' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Nothing is shared by link yet.').waitFor()
    assert.equal((await visitor.page.reload())?.status(), 404)
    await visitor.close()
    await opened.close()
  })

  test('is made by keyboard alone, by somebody who may read a folder and no more; admins see whose it is', async () => {
    const accounts = await provisioning(service)
    const reader = await accounts.user({ username: 'Rita Lund' })
    accounts.close()
    await client['set-folder-access']({ params: { id: folder, userId: reader.userId }, body: { flags: ['READ'] } })
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}`, credentials: reader })
    const { page } = opened
    await opened.folders.filter({ hasText: 'Press kit' }).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
    const sharing = page.getByRole('dialog', { name: 'Share Press kit' })
    await sharing.getByRole('button', { name: 'Share by link' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Share Press kit by link' })
    const focused = () => page.evaluate(() => document.activeElement?.closest('label, button')?.textContent?.trim())
    for (let presses = 0; presses < 20 && (await focused()) !== 'People may send files into the folder'; presses++)
      await page.keyboard.press('Tab')
    await page.keyboard.press(' ')
    await page.keyboard.press('Enter')
    await dialog
      .getByRole('alert')
      .filter({ hasText: /^You (need|don’t have the right)/ })
      .waitFor()
    await dialog.getByRole('checkbox').press(' ')
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Address' }).waitFor()
    await opened.close()

    const admin = await signedIn(browser, service, { address: '/console/shares' })
    await items(admin).filter({ hasText: 'Press kit' }).filter({ hasText: 'Rita Lund' }).waitFor()
    assert.equal(await items(admin).filter({ hasText: 'Rita Lund' }).getByRole('button', { name: 'Copy address' }).count(), 0)
    await admin.close()
  })
})
