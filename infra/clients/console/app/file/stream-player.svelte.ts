import type Hls from 'hls.js'

/** Plays a stream in a video element. hls.js is loaded when the first one is played. */
export class StreamPlayer {
  /** Heights of its sizes in pixels, and the one that was chosen; -1: the one that suits the line. */
  sizes = $state.raw<readonly number[]>([])
  size = $state(-1)
  /** Names of the languages of its subtitles, and the one that was chosen; -1: none. */
  languages = $state.raw<readonly string[]>([])
  subtitles = $state(-1)
  readonly #video: HTMLVideoElement
  #hls: Hls | undefined
  #cues: TextTrack | undefined

  constructor(video: HTMLVideoElement) {
    this.#video = video
  }

  /** @param onFailure called when it can't be played on */
  async load(url: string, onFailure: () => void): Promise<void> {
    const { default: Hls } = await import('hls.js')
    if (!Hls.isSupported()) {
      this.#video.src = url
      return
    }
    // Trusted Types let no script be made of text, so there is no worker. The tracks that hls.js makes have addresses that the page's policy stops.
    const hls = new Hls({ enableWorker: false, renderTextTracksNatively: false })
    this.#hls = hls
    hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
      this.sizes = levels.map(({ height }) => height)
    })
    hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, (_, { subtitleTracks }) => {
      this.languages = subtitleTracks.map(({ name }) => name)
    })
    hls.on(Hls.Events.CUES_PARSED, (_, { cues }) => {
      for (const cue of cues as VTTCue[]) this.#cues?.addCue(cue)
    })
    hls.on(Hls.Events.ERROR, (_, { fatal }) => {
      if (fatal) onFailure()
    })
    hls.loadSource(url)
    hls.attachMedia(this.#video)
  }

  chooseSize(index: number): void {
    this.size = index
    if (this.#hls) this.#hls.currentLevel = index
  }

  chooseSubtitles(index: number): void {
    this.subtitles = index
    // Tracks can't be taken away, but they can be hidden.
    if (this.#cues) this.#cues.mode = 'disabled'
    this.#cues = undefined
    if (index >= 0) {
      this.#cues = this.#video.addTextTrack('subtitles', this.languages[index])
      this.#cues.mode = 'showing'
    }
    if (this.#hls) this.#hls.subtitleTrack = index
  }

  end(): void {
    this.#hls?.destroy()
  }
}
