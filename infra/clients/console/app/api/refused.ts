/** The service refused a request, or could not be reached (status 0). */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(status: number, details: { message?: string; code?: string } & Record<string, unknown>) {
    super(details.message ?? '')
    this.status = status
    this.code = details.code ?? ''
    this.details = details
  }
}
