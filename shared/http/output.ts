import type { APIGatewayProxyResult } from 'aws-lambda'
import type { z } from 'zod'
import { json } from './answer.ts'
import { renameKey } from './brand.ts'
import { type Endpoint, OtherAnswer } from './endpoint.ts'
import type { Kernel } from './exchange.ts'

/** Turns what a handler returned into an answer. The schemas strip what they don't declare. */
export function toAnswer(endpoint: Pick<Endpoint, 'returns' | 'accepted'>, { settings }: Kernel, value: unknown): APIGatewayProxyResult {
  const body = (schema: z.ZodType, held: unknown) => renameKey(schema.parse(held), settings.brand, 'out')
  if (!(value instanceof OtherAnswer)) return json(200, body(endpoint.returns, value))
  switch (value.kind) {
    case 'accepted':
      return json(202, body(endpoint.accepted!, value.body))
    case 'created':
      return json(201, {})
    case 'no content':
      return { statusCode: 204, headers: { 'Cache-Control': 'no-store' }, body: '' }
    case 'redirect':
      return { statusCode: 302, headers: { Location: value.location ?? '', 'Cache-Control': 'no-store' }, body: '' }
  }
}
