import * as z from 'zod'

/** The parameter of every address below a share link. */
export const secretParam = { secret: z.string().meta({ examples: ['hT6nWc2Rk8Vq4Ym0Zp9Lx5Ds1Bf7Gj3Ka0Qe6Ut8Iow'] }) }
