/** What a function's package carries beside its bundle: native code, data files, and modules that run as a process or thread of their own. */
export type Tool = 'sharp' | 'profile-image' | 'imagemagick' | 'exiftool'
