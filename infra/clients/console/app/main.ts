import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { language } from './language/language.svelte.ts'

// A page that the browser kept may show what its user may no longer see.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

// Not awaited, because whatever imports from the same file would wait as well.
void language.load().then(() => mount(App, { target: document.body }))
