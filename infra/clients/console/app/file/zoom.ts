/** Width and height: of pictures in their own pixels, of frames in those of the page. */
export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export type Rectangle = Point & Size

/** How a picture lies in its frame: its upper left corner in pixels of the page, and how many of them a pixel of the picture takes. */
export type View = Point & { scale: number }

/** Pixels of the screen that a pixel of the picture takes at most. */
const MOST_ENLARGED = 8

/** The whole picture in the middle. @param full scale at which a pixel of the picture is one of the screen: small pictures aren't enlarged */
export function fitted(picture: Size, frame: Size, full: number): View {
  const scale = Math.min(full, frame.width / picture.width, frame.height / picture.height)
  return held({ x: 0, y: 0, scale }, picture, frame)
}

/** Another scale, at which a point of the frame shows the same place of the picture. It is never less than the whole picture needs. */
export function zoomed(view: View, scale: number, at: Point, picture: Size, frame: Size, full: number): View {
  const least = fitted(picture, frame, full).scale
  const wanted = Math.min(Math.max(scale, least), Math.max(full * MOST_ENLARGED, least))
  const factor = wanted / view.scale
  return held({ x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor, scale: wanted }, picture, frame)
}

/** The view within its frame: what is smaller lies in the middle, what is larger leaves no gap. */
export function held({ x, y, scale }: View, picture: Size, frame: Size): View {
  const along = (start: number, length: number, room: number) =>
    length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, start))
  return { x: along(x, picture.width * scale, frame.width), y: along(y, picture.height * scale, frame.height), scale }
}

/** The part of the picture that the frame shows, in whole pixels. @param margin that is wanted around it, as a part of the frame */
export function visible({ x, y, scale }: View, picture: Size, frame: Size, margin = 0): Rectangle {
  const along = (start: number, length: number, room: number): [from: number, size: number] => {
    const from = Math.max(0, Math.floor((-start - room * margin) / scale))
    const to = Math.min(length, Math.ceil((-start + room * (1 + margin)) / scale))
    return [Math.min(from, length - 1), Math.max(1, to - from)]
  }
  const [left, width] = along(x, picture.width, frame.width)
  const [top, height] = along(y, picture.height, frame.height)
  return { x: left, y: top, width, height }
}

export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height
