import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { language } from './language/language.svelte.ts'

// A page that the browser kept may show what its user may no longer see.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

await language.load()
mount(App, { target: document.body })
