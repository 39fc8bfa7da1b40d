/** What rendered pictures say of themselves. */
export interface PictureLabels {
  /** null where there is none. */
  copyright: string | null
  /** IPTC's name of how the picture came about, such as `trainedAlgorithmicMedia`; null where the file says nothing. */
  digitalSourceType: string | null
}
