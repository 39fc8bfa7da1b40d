/** Names of what systems leave beside files of people. */
export const JUNK = /^(\.DS_Store|Thumbs\.db|desktop\.ini|@eaDir|\.Spotlight-V100|\.Trashes|\.fseventsd|\._.*)$/i
