/**
 * Signs in. The secret stays in the page: the service gets an HMAC that is made with it.
 * @param {{ username: string, password: string, key: string, secret: string }} credentials
 * @returns {Promise<{ token: string, ends: Date }>}
 * @throws {Error} in a sentence
 */
export async function signIn({ username, password, key, secret }) {
  // Browsers give pages of plain HTTP no cryptography, but for addresses of the same machine.
  if (!crypto.subtle) throw new Error('The browser allows this over https and on localhost only. Use "Authorize" with a token instead.')
  const ts = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ username, password, key, ts, hmac: await hmac(secret, `${key}:${ts}`) })
  const response = await fetch('/authenticate/userpasshmac', { method: 'POST', body })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return { token: answer.token, ends: new Date(answer.validUntil * 1000) }
}

/**
 * HMAC-SHA1 in lower-case hex.
 * @param {string} secret
 * @param {string} text
 */
async function hmac(secret, text) {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)))
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
