import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Wanted } from './image-servers.ts'

/** One picture to render: a file, by its number, and what it is asked for as. */
export interface Task extends Wanted {
  file: number
}

/** What renders the same pictures as others. */
export interface Contender {
  name: string
  render(task: Task): Promise<Buffer>
}

const agent = new Agent({ keepAlive: true })

/** @throws Error when the status isn't 200, or the picture was asked for before */
export function newPicture(url: string, headers: { [name: string]: string } = {}): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const sent = request(url, { agent, headers }, async (response) => {
    const answer = await buffer(response)
    if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode} ${answer.toString().slice(0, 200)}`))
    else if (response.headers['x-cache'] === 'hit') reject(new Error(`${url} is no new picture`))
    else resolve(answer)
  })
  sent.on('error', reject).end()
  return promise
}

/** All answer with the same picture, but for a pixel of height: some round after the decoder has made it smaller. @throws Error when they don't */
export async function checkSame(contenders: readonly Contender[], task: Task): Promise<void> {
  const answers = await Promise.all(
    contenders.map(async ({ name, render }) => {
      const { format, width, height, pageHeight = height, pages = 1 } = await sharp(await render(task), { animated: true }).metadata()
      return { name, picture: `${format} ${width} ${pages}`, height: pageHeight }
    }),
  )
  const [first] = answers
  const isSame = answers.every(({ picture, height }) => picture === first?.picture && Math.abs(height - first.height) <= 1)
  if (!isSame) throw new Error(`they answer with different pictures: ${JSON.stringify(answers)}`)
}

/** Has the pictures rendered, so many at a time. @returns pictures a second */
export async function renderAll({ render }: Contender, tasks: readonly Task[], atOnce: number): Promise<number> {
  const started = performance.now()
  const queue = tasks.values()
  const worker = async () => {
    for (const task of queue) await render(task)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return tasks.length / ((performance.now() - started) / 1000)
}
