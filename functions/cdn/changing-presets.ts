/** The resources of endpoints that change presets: one function on AWS, so they use the same. */
export const changingPresets = { answeredBy: 'change-presets', uses: { table: 'write' } } as const
