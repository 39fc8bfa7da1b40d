import { createRequire } from 'node:module'
import type * as Prometheus from 'prom-client'

/** What is used of `prom-client`. All of it takes 70 ms to load, most of that for OpenTelemetry. */
const load = createRequire(import.meta.url)
export const Registry: typeof Prometheus.Registry = load('prom-client/lib/registry.js')
export const Gauge: typeof Prometheus.Gauge = load('prom-client/lib/gauge.js')
export const Histogram: typeof Prometheus.Histogram = load('prom-client/lib/histogram.js')
