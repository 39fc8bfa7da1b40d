import type { Command } from 'commander'
import { setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { type Asked, askForExisting } from '../../../shared/library/suggestions/existing.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { withProgress } from '../progress.ts'
import { companyId } from '../values.ts'
import { companyRightCommands } from './company-right.ts'

/** `keywords enable`, `keywords disable`, `keywords suggest` */
export function keywordCommands(program: Command, console: Console): void {
  const group = noun(program, 'keywords', 'for whose pictures keywords are suggested, by object recognition')

  companyRightCommands(group, console, {
    name: 'keywords',
    async set(library, company, allowed) {
      if (allowed) await needSuggester(library)
      await setSuggestions(library, company, allowed)
    },
    enable: {
      description: 'have keywords suggested for pictures that a company uploads; the pictures are shown to the service that suggests them',
      done: 'gets keywords suggested for pictures that it uploads from now on. For those that are there: keywords suggest.',
    },
    disable: {
      description: 'show no more pictures of a company to the service that suggests keywords; keywords that there are stay',
      done: 'gets no more keywords suggested. Those that there are stay.',
    },
  })

  verb(group, 'suggest', 'have keywords suggested for all pictures of a company that never got any', ['keywords suggest --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .addHelpText('after', HELP)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needSuggester(library)
        const { suggestions } = await needCompany(library, company)
        if (!suggestions) {
          throw new Error(
            `Company ${company} has not opted in to suggested keywords: its pictures are shown to nobody. To opt in: keywords enable --company ${company}`,
          )
        }
        const lineOf = ({ queued, done }: Readonly<Asked>) => `${queued} pictures queued, ${done} looked at before`
        const { queued, done } = await withProgress(console, lineOf, (report) => askForExisting(library, company, report))
        return { json: { queued, done }, text: `${queued} pictures wait for keywords. ${done} had been looked at before.` }
      }),
    )
}

/** @throws Error in a sentence where nobody can suggest keywords */
async function needSuggester(library: Pick<OpenLibrary, 'lackOfKeywords'>): Promise<void> {
  const lack = await library.lackOfKeywords()
  if (lack) throw new Error(lack)
}

const HELP = `
It only asks: a job of the service looks at the pictures, a few at a time. Run again, it asks for none twice, and says how many still
wait ("queued") and how many were looked at ("done"). How far it is goes to standard error.
On one machine it takes a service of your own (KEYWORDS_URL). Without one pictures get no keywords, and are asked for again next time.`
