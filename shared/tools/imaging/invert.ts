import { Transform } from 'node:stream'

/** Inverts every sample of uncompressed pixels (8 or 16 bits alike). */
export function invertSamples(): Transform {
  return mapBytes((byte) => 255 - byte)
}

/** Inverts every sample of PackBits-compressed pixels: the counts stay, literal and repeated bytes change. */
export function invertPackBits(): Transform {
  let samples = 0
  return mapBytes((byte) => {
    if (samples > 0) {
      samples--
      return 255 - byte
    }
    // 0 to 127: this many literal bytes plus one follow; 129 to 255: one byte, repeated; 128: nothing.
    samples = byte < 128 ? byte + 1 : byte > 128 ? 1 : 0
    return byte
  })
}

function mapBytes(map: (byte: number) => number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let index = 0; index < chunk.length; index++) chunk[index] = map(chunk[index]!)
      done(null, chunk)
    },
  })
}
