import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('access and trash in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()

  const foldersOf = async (id: number) => (await client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id)

  test('says who can see a file and who has access to a folder, and by what', async () => {
    const above = await newFolder('Campaign')
    const folder = await newFolder('Spring', above)
    const [id] = await fill(client, folder, ['shared.jpg'])
    const { company_id } = service.demo
    const { body: clique } = await client['create-clique']({ body: { name: 'Partners', svc_id: company_id } })
    const { body: me } = await client.whoami()
    await client['add-clique-member']({ params: { id: clique.id, userId: me.id } })
    await client['share-folder-with-clique']({ params: { id: clique.id, folderId: above }, body: { access: 'READ' } })

    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Who can see this' }).click()
    const people = page.getByRole('dialog', { name: 'Who can see this' }).getByRole('list', { name: 'Who can see this' })
    await expect.poll(() => people.textContent()).toMatch(/by Partners, on Campaign/)
    assert.match((await people.textContent()) ?? '', /as administrator/)

    await opened.goTo(`/console/folder/${folder}`)
    await opened.folders.filter({ hasText: 'Spring' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const list = page.getByRole('dialog', { name: 'Share Spring' }).getByRole('list', { name: 'Who has access' })
    await expect.poll(() => list.textContent()).toMatch(/Can see.*by Partners, on Campaign/)
    await opened.close()
  })

  test('a folder is shared with groups and people, who are found by name, and no longer', async () => {
    const folder = await newFolder('Summer')
    const accounts = await provisioning(service)
    const { userId } = await accounts.user({ username: 'Anna Berg' })
    accounts.close()
    await client['create-clique']({ body: { name: 'Agency', svc_id: service.demo.company_id } })
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const { page } = opened
    await opened.folders.filter({ hasText: 'Summer' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Summer' })
    const list = dialog.getByRole('list', { name: 'Who has access' }).getByRole('listitem')
    const right = (name: string) => dialog.getByRole('checkbox', { name })
    const choose = async (name: string) => {
      await dialog.getByRole('combobox', { name: 'Add people or groups' }).fill(name)
      await dialog.getByRole('option', { name }).click()
    }
    await choose('Anna')
    await right('Can upload').check()
    await right('Can manage').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const anna = list.filter({ hasText: 'Anna Berg' })
    await expect.poll(() => anna.textContent()).toMatch(/Can see, Can upload, Can manage|Can see, Can manage, Can upload/)
    const { users } = (await client['get-folder-access']({ params: { id: folder } })).body
    assert.deepEqual(users.find((user) => user.user_id === userId)?.by[0]?.flags, ['READ', 'ADMIN', 'UPLOAD'])

    // What one was given is not offered to the next.
    await choose('Agency')
    assert.deepEqual(
      await Promise.all(['Can see', 'Can add and change', 'Can upload', 'Can manage'].map((name) => right(name).isChecked())),
      [true, false, false, false],
    )
    assert.equal(await right('Can manage').isEnabled(), false)
    await right('Can upload').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const agency = list.filter({ hasText: 'Agency' })
    await expect.poll(() => agency.textContent()).toMatch(/Can see, Can upload/)

    for (const each of [anna, agency]) {
      await each.getByRole('button', { name: 'Remove' }).click()
      await each.waitFor({ state: 'detached' })
    }
    await opened.close()
  })

  test('who owns a folder shares it, without being admin of the company', async () => {
    const accounts = await provisioning(service)
    const owner = await accounts.user()
    await accounts.user({ username: 'Bo Lind' })
    accounts.close()
    const own = await service.client(owner.authorization)
    const { id } = (await own['create-folder']({ body: { name: 'Own' } })).body
    const opened = await signedIn(browser, service, { address: `/console/folder/${id}`, credentials: owner })
    const { page } = opened
    await opened.folders.filter({ hasText: 'Own' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Own' })
    await dialog.getByRole('combobox', { name: 'Add people or groups' }).fill('Bo')
    await dialog.getByRole('option', { name: 'Bo Lind' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('list', { name: 'Who has access' }).getByRole('listitem').filter({ hasText: 'Bo Lind' }).waitFor()
    await opened.close()
  })

  test('who may only read a folder is offered a link, and nothing that they may not use', async () => {
    const folder = await newFolder('Autumn')
    const accounts = await provisioning(service)
    const reader = await accounts.user()
    await accounts.grant(folder, reader.userId, ['READ'])
    accounts.close()
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}`, credentials: reader })
    const { page } = opened
    await opened.folders.filter({ hasText: 'Autumn' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Autumn' })
    await dialog.getByText('Whoever has the link sees what you may see').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    for (const role of ['list', 'combobox', 'checkbox'] as const) assert.equal(await dialog.getByRole(role).count(), 0, role)
    await dialog.getByRole('button', { name: 'Share by link' }).waitFor()
    await opened.close()
  })

  test('files and folders come back to where they were; where that is gone a folder is asked for', async () => {
    const kept = await newFolder('Kept')
    const gone = await newFolder('Gone')
    const [first, second] = await fill(client, kept, ['first.jpg', 'second.jpg'])
    const [third] = await fill(client, gone, ['third.jpg'])
    const inner = await newFolder('Inner', kept)
    for (const [id, folderId] of [
      [first, kept],
      [second, kept],
      [third, gone],
    ] as const)
      await client['move-media-to-trash']({ params: { id: id!, folderId } })
    await client['move-folder-to-trash']({ params: { id: inner } })
    await client['delete-folder']({ params: { id: gone } })

    const opened = await signedIn(browser, service, { address: '/console/trash' })
    const { page } = opened
    await expect.poll(() => opened.status.textContent()).toBe('3 files')
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Inner' })
    await expect.poll(() => line.textContent()).toMatch(/was in Kept/)
    await line.getByRole('button', { name: 'Restore' }).click()
    await line.waitFor({ state: 'detached' })
    assert.equal((await client['get-folder']({ params: { id: inner } })).body.parent, kept)

    await opened.files.first().click()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Restore' }).click()
    const dialog = page.getByRole('dialog', { name: /folder is gone. Restore 1 file to/ })
    await dialog.getByRole('treeitem', { name: 'Kept' }).click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('status').filter({ hasText: 'No files' }).waitFor()
    assert.deepEqual(await Promise.all([first!, second!, third!].map(foldersOf)), [[kept], [kept], [kept]])
    await opened.close()
  })

  test('files in the trash show where they were, and the key Delete asks before they are gone for good', async () => {
    const folder = await newFolder('Emptied')
    const [id] = await fill(client, folder, ['away.jpg'])
    await client['move-media-to-trash']({ params: { id: id!, folderId: folder } })
    const opened = await signedIn(browser, service, { address: '/console/trash' })
    await opened.files.first().press('Enter')
    await opened.page.getByRole('dialog', { name: 'Details' }).getByText('was in Emptied').waitFor()
    await opened.page.keyboard.press('Escape')
    await opened.files.first().focus()
    const dialog = opened.page.getByRole('dialog', { name: 'Delete 1 file for good?' })
    await opened.page.keyboard.press('Delete')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await client['get-media']({ params: { id: String(id) } })).status, 200)
    await opened.files.first().focus()
    await opened.page.keyboard.press('Delete')
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect.poll(async () => (await client['get-media']({ params: { id: String(id) } })).status as number).toBe(404)
    await opened.close()
  })
})
