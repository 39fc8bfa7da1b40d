/** The groups of operations, each with the paths that belong to it; the first that matches counts. */
const groups = [
  { name: 'Authentication', description: 'Sign in, and choose a new password.', paths: /^\/(authenticate\/|session(\/|$))/ },
  { name: 'Share links', description: 'Links for people without an account, and what they open.', paths: /^\/(share|s)(\/|$)/ },
  { name: 'Search', description: 'Find files by words, dates, folders, sizes and places.', paths: /^\/search/ },
  {
    name: 'Downloads',
    description: 'URLs from which files and their sizes are downloaded.',
    paths: /^\/media\/\{id\}\/download|^\/zip-file|\/zip-file$/,
  },
  {
    name: 'Video streaming',
    description: 'Public HLS streams of videos, and their subtitles.',
    paths: /^\/media\/\{id\}\/(stream$|metadata\/stream_url$|subtitles)/,
  },
  { name: 'Media', description: 'Files, their metadata, and the folders that hold them.', paths: /^\/(media|bulk)\// },
  { name: 'Folders', description: 'The tree of folders, its tags and its trash.', paths: /^\/folder/ },
  { name: 'Cliques', description: 'Groups of users with whom folders are shared; for admins.', paths: /^\/clique/ },
  { name: 'Upload', description: 'Register an upload, post the file to storage, finalize it.', paths: /^\/upload\// },
  { name: 'CDN', description: 'Public links to files, which are made by copying them into a CDN folder.', paths: /^\/cdn\// },
  { name: 'Events', description: 'What happens in a company, in one order.', paths: /^\/event$/ },
  { name: 'Webhooks', description: "Addresses that a company's events are sent to; for admins.", paths: /^\/webhook/ },
  { name: 'Companies', description: 'Users, keys, folders, brand and disk usage of a company.', paths: /^\/(company\/|brand$)/ },
  { name: 'Users', description: 'People, their folders and their pictures.', paths: /^\/(user\/|whoami$)/ },
  { name: 'Operation', description: 'For whoever runs the service.', paths: /^\// },
]

/** @param path of the operation: `/folder/{id}` */
export function tagOf(path: string): string {
  return groups.find(({ paths }) => paths.test(path))!.name
}

/** The document's `tags`: those in use. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf))
  return groups.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }))
}
