import { eventsToRepeat } from '../../shared/library/events/failed-event.ts'
import { feedEventNames } from '../../shared/library/feed/feed-events.ts'
import { tellCompanies, tellJob } from '../../shared/library/webhooks/announce.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const tellChange = job({
  kind: tellJob,
  group: 'short-jobs',
  summary: 'Gives events on which start-jobs failed their place in the feeds of companies, and tells webhooks of them',
  uses: { table: 'write' },
  seconds: 60,
  async run({ input, ...library }) {
    const events = eventsToRepeat(input, feedEventNames)
    if ((await tellCompanies(library, events)).length > 0) throw new Error('companies could not be told of a change')
    return undefined
  },
})
