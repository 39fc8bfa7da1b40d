import { describe, expect, test } from 'vitest'
import { getJob } from '../../shared/library/jobs/job.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { putFailedJob } from '../support/failed-job.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('links and people in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()

  test('publishes a file, copies its link, puts another file behind it, and takes it back after a question', async () => {
    const [first = 0] = await fill(client, service.demo.folder_id, ['first.jpg', 'second.jpg'])
    const opened = await signedIn(browser, service, { address: `/console/file/${first}` })
    const { page } = opened
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog', { name: 'Publish 1 file' }).getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog', { name: 'Publish 1 file' }).getByRole('button', { name: 'Copy link' }).waitFor()

    await page.goto(`${service.baseUrl}/console/links`)
    const links = page.getByRole('list', { name: 'Links' }).getByRole('listitem')
    await links.getByText('Public').waitFor()
    await links.getByRole('button', { name: 'Copy link' }).click()
    const address = await copied()
    expect(await links.innerText()).toContain(address)
    const published = Buffer.from(await (await fetch(address)).arrayBuffer())
    await links.getByRole('button', { name: 'Copy embed code' }).click()
    await expect.poll(copied).toMatch(/^<img src="/)

    await links.getByRole('button', { name: 'Replace' }).click()
    const choice = page.getByRole('dialog', { name: 'Replace by' })
    await choice.getByRole('option', { name: 'second.jpg' }).click()
    await choice.getByRole('button', { name: 'Replace' }).click()
    await choice.waitFor({ state: 'detached' })
    await links.getByText('second.jpg').waitFor()
    const bytesNow = async () => Buffer.from(await (await fetch(address)).arrayBuffer()).equals(published)
    await expect.poll(bytesNow).toBe(false)

    await links.getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('dialog', { name: /^Remove this link\?/ })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => links.count()).toBe(1)
    await links.getByRole('button', { name: 'Remove' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => links.count()).toBe(0)
    await expect.poll(async () => (await fetch(address)).status).toBe(404)
    await opened.close()
  })

  test('makes a group, adds a person and takes both away; shows keys, with their secrets on demand', async () => {
    const opened = await signedIn(browser, service, { address: '/console/groups' })
    const { page } = opened
    await page.getByRole('heading', { name: 'Groups' }).waitFor()
    await page.getByRole('textbox', { name: 'New group' }).fill('Agency <img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Add' }).click()
    const group = page.getByRole('list', { name: 'Groups' }).getByRole('listitem')
    await group.getByText('Agency <img').first().waitFor()
    await group.getByRole('button', { name: /^Members of/ }).click()
    const members = page.getByRole('dialog', { name: /^Members of/ })
    await members.getByRole('combobox').fill('Demo')
    await members.getByRole('option', { name: 'Demo user' }).click()
    await members.getByRole('listitem').getByText('Demo user').waitFor()
    await members.getByRole('button', { name: 'Remove Demo user' }).click()
    await expect.poll(() => members.getByRole('listitem').count()).toBe(0)
    await page.keyboard.press('Escape')
    await group.getByRole('button', { name: /^Remove/ }).click()
    await page
      .getByRole('dialog', { name: /^Delete the group/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect.poll(() => group.count()).toBe(0)

    await page.goto(`${service.baseUrl}/console/keys`)
    const { api_key, api_secret } = service.demo
    const key = page.getByRole('list', { name: 'Keys' }).getByRole('listitem').filter({ hasText: api_key })
    expect(await key.innerText()).not.toContain(api_secret)
    await key.getByRole('button', { name: 'Show' }).click()
    expect(await key.innerText()).toContain(api_secret)
    await opened.close()
  })

  test('shows jobs that failed, and lets them run again', async () => {
    const accounts = await provisioning(service)
    await putFailedJob(accounts, toCompanyId(service.demo.company_id), 902_114)
    const opened = await signedIn(browser, service, { address: '/console/usage' })
    const { page } = opened
    const jobs = page.getByRole('list', { name: 'Failed jobs' }).getByRole('listitem')
    expect(await jobs.innerText()).toMatch(/Import of a file.*Next try.*import-media\.902114/s)
    await jobs.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No job has failed.').waitFor()
    await expect.poll(() => getJob(accounts.library, 'import-media.902114')).toBe(undefined)
    accounts.close()
    await opened.close()
  })
})
