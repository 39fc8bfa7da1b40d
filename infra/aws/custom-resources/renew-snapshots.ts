import * as z from 'zod'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type Renewing, renewSnapshots as renew } from '../../../shared/library/index-snapshots/renew-snapshots.ts'
import { standardLog } from '../../../shared/log/json-log.ts'
import { customResource } from './custom-resource.ts'

/** CloudFormation makes text of numbers. */
const Properties = z.object({ Format: z.coerce.number().int() })

/** Milliseconds between two looks at the records of companies. */
const LOOK_MS = 5_000

/**
 * Makes the handler of the custom resource `Custom::Snapshots`. It has snapshots of search indexes made in the format of the functions that are
 * updated after it. Lambda repeats a run that its time-out ended, twice, and that run goes on.
 */
export const renewSnapshots = (library: Pick<Renewing, 'table' | 'snapshotJobs'>) =>
  customResource(async ({ type, properties }) => {
    const { Format } = Properties.parse(properties)
    if (type !== 'Delete') await renew({ ...library, clock: systemClock, log: standardLog() }, Format, () => systemClock.sleep(LOOK_MS))
    return {}
  })
