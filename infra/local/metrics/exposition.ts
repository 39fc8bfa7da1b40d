/** Names of labels with their values. */
export type Labels = Readonly<Record<string, string | number>>

/** One number of a metric. */
export interface Sample {
  labels?: Labels
  value: number
}

/** A metric whose numbers are read when it is asked for. */
export interface Gauge {
  name: string
  help: string
  samples: readonly Sample[]
}

/** The text of a gauge (Prometheus' text format 0.0.4). */
export function gaugeText({ name, help, samples }: Gauge): string {
  return head(name, help, 'gauge') + samples.map(({ labels = {}, value }) => line(name, labels, value)).join('')
}

/** Upper bounds of a histogram's buckets, in seconds: from answers to encodes of films. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300, 1_800, 7_200]

interface Series {
  labels: Labels
  /** How many were no greater than each of the bounds. */
  buckets: number[]
  sum: number
  count: number
}

/** How long something takes, in seconds, by labels. */
export class Histogram {
  readonly #name: string
  readonly #help: string
  readonly #series = new Map<string, Series>()

  /** @param name ends with `_seconds` */
  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  observe(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels)
    const series = this.#series.get(key) ?? { labels, buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }
    this.#series.set(key, series)
    for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) series.buckets[index]! += 1
    series.sum += seconds
    series.count += 1
  }

  text(): string {
    const name = this.#name
    const lines = this.#series
      .values()
      .map(({ labels, buckets, sum, count }) =>
        [
          ...BOUNDS.map((le, index) => line(`${name}_bucket`, { ...labels, le }, buckets[index]!)),
          line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
          line(`${name}_sum`, labels, sum),
          line(`${name}_count`, labels, count),
        ].join(''),
      )
    return head(name, this.#help, 'histogram') + [...lines].join('')
  }
}

const head = (name: string, help: string, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
