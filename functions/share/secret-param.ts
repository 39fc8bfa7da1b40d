import * as z from 'zod'

/** The parameter of every address below a share link. */
export const secretParam = { secret: z.string().meta({ examples: ['uY3zQx0nGZ6nJ0o0Qe2m0b7sJb3rX1y9cV5kT8wLhPA'] }) }
