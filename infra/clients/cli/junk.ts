/** Names of systems' own files beside users' files. */
export const JUNK = /^(\.DS_Store|Thumbs\.db|desktop\.ini|@eaDir|\.Spotlight-V100|\.Trashes|\.fseventsd|\._.*)$/i
