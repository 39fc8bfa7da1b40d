import { signIn } from './sign-in.js'

// The reference talks to the host that it came from, under whatever name that is known.
const spec = { ...(await (await fetch('/openapi.json')).json()), servers: [{ url: location.origin }] }

const reference = /** @type {any} */ (window).SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
})

const form = /** @type {HTMLFormElement} */ (document.querySelector('#sign-in'))
const outcome = /** @type {HTMLOutputElement} */ (form.querySelector('output'))

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { username, password, key, secret } = Object.fromEntries(new FormData(form))
  outcome.value = 'Signing in …'
  try {
    const { token, ends } = await signIn({
      username: String(username),
      password: String(password),
      key: String(key),
      secret: String(secret),
    })
    reference.preauthorizeApiKey('token', `${form.dataset.scheme} Token=${token}`)
    outcome.value = `Signed in as ${username} until ${ends.toLocaleString()}. Every "Try it out" uses it.`
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error)
  }
})
