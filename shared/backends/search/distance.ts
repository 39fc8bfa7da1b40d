/** A place on earth, in degrees. */
export interface Place {
  latitude: number
  longitude: number
}

/**
 * The place as a point on the unit sphere. The product of two points is the cosine of the angle between them, so it orders places by distance
 * along the ground, with three products for each. Places within 0.1 m of the point that distance is measured from count as that point.
 */
export function pointOnSphere({ latitude, longitude }: Place): { x: number; y: number; z: number } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return { x: Math.cos(phi) * Math.cos(lambda), y: Math.cos(phi) * Math.sin(lambda), z: Math.sin(phi) }
}
