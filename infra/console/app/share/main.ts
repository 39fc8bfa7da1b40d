import { mount } from 'svelte'
import '../app.css'
import { language } from '../language/language.svelte.ts'
import SharePage from './SharePage.svelte'

await language.load()
mount(SharePage, { target: document.body })
