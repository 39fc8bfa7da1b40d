import { publishPresets as publish } from '../../shared/library/links/publish-presets.ts'
import { presetPublication } from '../../shared/library/presets/preset.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const publishPresets = job({
  kind: presetPublication,
  group: 'short-jobs',
  summary: "Tells renderers a company's presets, and makes edges forget pictures by those that changed",
  uses: { table: 'write', publicFiles: 'write' },
  seconds: 60,
  runs: 10,
  async run({ companyId, ...library }) {
    await publish(library, companyId)
    return undefined
  },
})
