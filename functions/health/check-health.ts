import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { unavailable } from '../../shared/http/declaration/results.ts'

const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']).describe('`degraded`: it serves, and something needs its operator'),
    problems: z.array(
      z.object({
        code: z.string().meta({ examples: ['jobs_failed'] }),
        message: z.string().meta({ examples: ['Jobs that failed: import-media 3. Each is tried again every hour.'] }),
      }),
    ),
  })
  .meta({ id: 'Health', examples: [{ status: 'ok', problems: [] }] })

type Status = z.infer<typeof Health>['status']

export const checkHealth = endpoint({
  route: 'GET /healthz',
  summary: 'Whether the service can do its work, for load balancers and monitors',
  description:
    'Answers 200 as long as requests are served, also where something needs its operator (`degraded`), and 503 where they are not.',
  access: 'anyone',
  uses: { health: 'read' },
  returns: Health,
  also: ['unavailable'],
  async handle({ health }) {
    const problems = await health.problems()
    const serves = !problems.some(({ stops }) => stops)
    const status: Status = problems.length === 0 ? 'ok' : serves ? 'degraded' : 'unavailable'
    return serves ? { status, problems } : unavailable({ status, problems })
  },
})
