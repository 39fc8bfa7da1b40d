/** A list that no cache keeps, although its endpoint's others may be. Made by `unkept()`. */
export class Unkept<Answer = unknown> {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

/** A 200 of a list whose content depends on who asks: it has no tag, and is `no-store`. */
export function unkept<Answer>(answer: Answer): Unkept<Answer> {
  return new Unkept(answer)
}
