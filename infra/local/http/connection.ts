import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networksOf } from '../../../shared/network.ts'
import { AnswerPace } from './answer-pace.ts'
import { bytesHeld } from './send-answer.ts'

/** What is to be answered on a connection. */
interface Arrival {
  /** Absent for what is no request. */
  response: ServerResponse | undefined
  begin(): void
}

/**
 * A connection to the server. One request runs on it at a time. Those that a client sends before it has the answer wait, and nothing more is
 * read meanwhile: Node hands over all that one write held at once, some thousands.
 */
export class Connection {
  readonly socket: Socket
  /** The narrowest network of its address. */
  readonly source: string
  readonly pace: AnswerPace
  readonly #waiting: Arrival[] = []
  #running: Arrival | undefined
  /** The last request that arrived, perhaps without its whole body yet. */
  #last: IncomingMessage | undefined

  constructor(socket: Socket) {
    this.socket = socket
    this.source = networksOf(socket.remoteAddress ?? '')[0]
    this.pace = new AnswerPace(socket)
    // Node resumes a socket whenever a request or an answer on it is complete.
    socket.on('resume', () => this.waiting > 0 && socket.pause())
  }

  /** Whether a request runs on it. One that is still arriving doesn't run yet. */
  get isUsed(): boolean {
    return this.#running !== undefined
  }

  /** Whether an answer is being sent. */
  get isAnswering(): boolean {
    return this.#running?.response?.headersSent ?? false
  }

  /** How many requests wait for those before them. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Bytes of the answer that are in memory until its client has taken all. */
  get bytesHeld(): number {
    return this.#running?.response ? bytesHeld(this.#running.response) : 0
  }

  /** Calls `begin` when all requests before are answered, and their answers written. */
  requestArrives(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#last = request
    this.#inTurn({ response, begin })
  }

  /** Calls `refuse` for what is no request: at once where it should have been the body of one, else when all requests before are answered. */
  nonsenseArrives(refuse: () => void): void {
    if (this.#last?.complete === false) refuse()
    else this.#inTurn({ response: undefined, begin: refuse })
  }

  #inTurn(arrival: Arrival): void {
    if (this.#running) {
      this.#waiting.push(arrival)
      this.socket.pause()
    } else this.#run(arrival)
  }

  #run(arrival: Arrival): void {
    this.#running = arrival
    this.pace.answerBegins(performance.now())
    arrival.begin()
  }

  /** The answer of the request that runs is written. */
  requestEnds(): void {
    this.#running = this.#waiting.shift()
    const next = this.#running
    // Others have their turn between two requests of a connection.
    if (next) setImmediate(() => this.socket.destroyed || this.#run(next))
    if (next && this.waiting === 0) this.socket.resume()
  }
}
