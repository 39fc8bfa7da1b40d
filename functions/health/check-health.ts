import * as z from 'zod'
import { endpoint, Unavailable } from '../../shared/http/endpoint.ts'

const Health = z.object({
  /** `degraded`: it serves, and something needs its operator. */
  status: z.enum(['ok', 'degraded', 'unavailable']),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
})

type Status = z.infer<typeof Health>['status']

export const checkHealth = endpoint({
  route: 'GET /healthz',
  summary: 'Whether the service can do its work, for load balancers and monitors',
  access: 'anyone',
  uses: { health: 'read' },
  returns: Health,
  also: ['unavailable'],
  async handle({ health }) {
    const problems = await health.problems()
    const serves = !problems.some(({ stops }) => stops)
    const status: Status = problems.length === 0 ? 'ok' : serves ? 'degraded' : 'unavailable'
    return serves ? { status, problems } : new Unavailable({ status, problems })
  },
})
