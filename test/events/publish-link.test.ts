import assert from 'node:assert/strict'
import { test } from 'vitest'
import { publishLink } from '../../functions/events/publish-link.ts'
import type { SendOptions } from '../../shared/backends/queue/port.ts'
import { stateOf } from '../../shared/library/links/link.ts'
import { CLAIM_MS, claim } from '../../shared/library/publishing/publisher.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'
import { setUp } from '../library/publishing/set-up.ts'

test('a link that somebody else publishes is looked at again when they have ended or crashed', async () => {
  const { create, file, publishing, making, media, clock, link, library } = await setUp()
  const created = await create(await file())
  const { companyId, linkId, alias } = created
  const sent: [message: object, options?: SendOptions][] = []
  const send = async (...message: (typeof sent)[number]) => void sent.push(message)
  const { log } = making
  const message = { companyId, linkId, alias }
  const by = { kind: 'job', job: 'publish-link', run: 'test' } as const
  const handle = () =>
    publishLink.handle({
      ...{
        ...publishing,
        media,
        settings: { ...defaultSettings, cdnUrl: '', playerUrl: '' },
        log,
        by,
        message,
        receives: 1,
        lastTry: false,
      },
      links: { send, sendMany: async () => undefined },
    })

  await claim(library, created)
  await handle()
  assert.deepEqual(sent, [[message, { delaySeconds: CLAIM_MS / 1000, group: companyGroup(companyId) }]])
  clock.advance(CLAIM_MS / 1000)
  await handle()
  assert.equal(sent.length, 1)
  assert.equal(stateOf(await link(linkId)), 'active')
})
