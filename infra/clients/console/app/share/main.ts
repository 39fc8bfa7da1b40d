import { mount } from 'svelte'
import '../app.css'
import { language } from '../language/language.svelte.ts'
import SharePage from './SharePage.svelte'

void language.load().then(() => mount(SharePage, { target: document.body }))
