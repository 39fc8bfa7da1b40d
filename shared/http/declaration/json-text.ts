/** JSON that is text already. Made by `jsonText()`. */
export class JsonText {
  readonly text: string | readonly Buffer[]
  constructor(text: string | readonly Buffer[]) {
    this.text = text
  }
}

/**
 * A 200 whose JSON a handler has as text, instead of the value that its endpoint declares. It is sent as it is: neither does the schema strip
 * undeclared fields, nor does the brand rename one. A test has to hold the text to the schema.
 * @param text JSON, or pieces of it in UTF-8: a large text needs no copy in one piece
 */
export function jsonText(text: string | readonly Buffer[]): JsonText {
  return new JsonText(text)
}
