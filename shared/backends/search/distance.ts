/** A place on earth, in degrees. */
export interface Place {
  latitude: number
  longitude: number
}

/**
 * The place as a point on the unit sphere. The straight line between two points grows with the distance along the ground (haversine), so its
 * square orders places by distance. It needs only products, and is precise for neighbours too.
 */
export function pointOnSphere({ latitude, longitude }: Place): { x: number; y: number; z: number } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return { x: Math.cos(phi) * Math.cos(lambda), y: Math.cos(phi) * Math.sin(lambda), z: Math.sin(phi) }
}
