/** The resources of endpoints that change brands: one function on AWS, so they use the same. */
export const changingBrands = {
  answeredBy: 'change-brands',
  uses: { table: 'write', urls: 'sign', logos: 'write' },
} as const
