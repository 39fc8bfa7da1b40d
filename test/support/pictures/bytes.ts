/** Big-endian unless told otherwise. */
export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** As u16, of 32 bits. */
export function u32(value: number, littleEndian = false): Buffer {
  const bytes = Buffer.alloc(4)
  if (littleEndian) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}
