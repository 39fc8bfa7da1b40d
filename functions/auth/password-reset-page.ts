import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { htmlPage, selfContainedPage } from '../../shared/http/declaration/page.ts'
import { MIN_PASSWORD_LENGTH } from '../../shared/library/accounts/passwords.ts'

/** The target of the link in the e-mail. The code is in the fragment of the address, which browsers never send: no log holds it. */
export const passwordResetPage = endpoint({
  route: 'GET /authenticate/userpass/reset/confirm',
  summary: 'The page on which a person chooses a new password, by the code that was e-mailed',
  description: 'Where the link in the e-mail leads. The page reads the code from the fragment of its address and posts it here.',
  access: 'anyone',
  uses: {},
  returns: htmlPage,
  async handle() {
    return page
  },
})

const page = selfContainedPage({
  title: 'Choose a new password',
  body: `
<main>
  <h1>Choose a new password</h1>
  <form>
    <label for="password">New password</label>
    <input id="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}" aria-describedby="rule" autofocus>
    <p id="rule">At least ${MIN_PASSWORD_LENGTH} characters.</p>
    <label class="choice"><input id="show" type="checkbox"> Show it</label>
    <button>Set password</button>
  </form>
  <p id="status" role="status"></p>
  <noscript><p>This page needs JavaScript to set your password.</p></noscript>
</main>`,
  style: `
main { max-width: 24rem }
label, #password, button { display: block }
#password, button { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem; border: 1px solid; border-radius: .3rem }
#rule { margin: .3rem 0 1rem; font-size: .9rem }
.choice { margin-bottom: 1rem }
button { cursor: pointer }
#status { font-weight: 600 }
`,
  script: `
const [form, password, show, status] = ['form', '#password', '#show', '#status'].map((each) => document.querySelector(each))
const code = new URLSearchParams(location.hash.slice(1)).get('code')
// The code must be neither in the browser's history nor on the screen.
history.replaceState(null, '', location.pathname)

const end = (text) => {
  form.hidden = true
  status.textContent = text
}
const askAgain = 'Ask for a new password again, and open the link in the new e-mail.'
if (!code) end('This address lacks its code. Open the link in the e-mail once more, whole.')

show.addEventListener('change', () => {
  password.type = show.checked ? 'text' : 'password'
})
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  status.textContent = 'Setting your password …'
  try {
    const response = await fetch(location.pathname, { method: 'POST', body: JSON.stringify({ code, password: password.value }) })
    const answer = await response.json()
    if (response.ok) end('Your new password is set. Sign in with it in your application.')
    else if (answer.code === 'wrong_code') end('This link was used already, or it is too old. ' + askAgain)
    else if (answer.errors) status.textContent = 'The password ' + answer.errors[0].message + '.'
    else status.textContent = answer.message
  } catch {
    status.textContent = 'The service could not be reached. Try again.'
  }
  button.disabled = false
})
`,
})
