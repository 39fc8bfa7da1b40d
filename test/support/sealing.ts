/** A key that encrypts stored secrets, for libraries of tests that run no service. */
export const sealing = { apiSecretsKey: { get: async () => ({ current: Buffer.alloc(32, 1).toString('base64') }) } }
