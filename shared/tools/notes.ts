import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Something that may be wrong. */
export interface Suspect<Kind extends string> {
  kind: Kind
  /** Tells it from others of its kind. */
  subject: string
}

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA cache_size = -16384; -- 16 MB
  CREATE TABLE facts (fact TEXT NOT NULL);
  CREATE TABLE needs (kind TEXT NOT NULL, subject TEXT NOT NULL, fact TEXT NOT NULL);
  CREATE TABLE counters (counter TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, bytes INTEGER NOT NULL, files INTEGER NOT NULL);
  CREATE TABLE suspects (kind TEXT NOT NULL, subject TEXT NOT NULL);
  BEGIN;
`

const COUNT = `
  INSERT INTO counters (kind, subject, counter, bytes, files) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, files = files + excluded.files`

/** Made when all facts are there: sorting them once is faster than keeping them sorted. */
const INDEX = 'CREATE INDEX facts_by_text ON facts (fact)'

const SUSPECTS = `
  SELECT kind, subject FROM suspects
  UNION SELECT kind, subject FROM needs WHERE NOT EXISTS (SELECT 1 FROM facts WHERE facts.fact = needs.fact)
  UNION SELECT kind, subject FROM counters WHERE bytes <> 0 OR files <> 0
  ORDER BY kind, subject`

/**
 * Notes of a walk over more than fits into memory: facts, and who needs them, so that what has no counterpart is found. A fact is a text that
 * says the same on both sides; which side comes first doesn't matter.
 *
 * The notes are in a temporary file without a name, which SQLite removes with `Symbol.dispose`, or when the process ends. Memory holds 16 MB
 * of them.
 */
export class Notes<Kind extends string> implements Disposable {
  readonly #database = new DatabaseSync('')
  readonly #addFact: StatementSync
  readonly #addNeed: StatementSync
  readonly #addCount: StatementSync
  readonly #addSuspect: StatementSync

  constructor() {
    this.#database.exec(SCHEMA)
    this.#addFact = this.#database.prepare('INSERT INTO facts VALUES (?)')
    this.#addNeed = this.#database.prepare('INSERT INTO needs VALUES (?, ?, ?)')
    this.#addCount = this.#database.prepare(COUNT)
    this.#addSuspect = this.#database.prepare('INSERT INTO suspects VALUES (?, ?)')
  }

  fact(fact: string): void {
    this.#addFact.run(fact)
  }

  /** Without the fact the subject is suspect. */
  need(kind: Kind, subject: string, fact: string): void {
    this.#addNeed.run(kind, subject, fact)
  }

  /** Adds to a counter. The subject is suspect unless all that is added to it makes 0. @param size in bytes, below 0 on the other side, as is `files` */
  count(kind: Kind, subject: string, counter: string, { bytes, files }: { bytes: number; files: number }): void {
    this.#addCount.run(kind, subject, counter, bytes, files)
  }

  /** The subject is suspect in any case. */
  suspect(kind: Kind, subject: string): void {
    this.#addSuspect.run(kind, subject)
  }

  /** All suspects, each once, in order of kind and subject, in batches. Called once, when all is noted. */
  *suspects(batchSize: number): Generator<Suspect<Kind>[]> {
    this.#database.exec(INDEX)
    let batch: Suspect<Kind>[] = []
    for (const { kind, subject } of this.#database.prepare(SUSPECTS).iterate()) {
      batch.push({ kind: kind as Kind, subject: String(subject) })
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
    yield batch
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
