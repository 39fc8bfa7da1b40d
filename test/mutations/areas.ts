/** Where a mistake costs most: patterns of source files (`path.matchesGlob`). The mutation check changes the same number of places in each. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  rights: ['shared/library/access/*.ts', 'shared/library/shares/*.ts', 'shared/library/cliques/*.ts'],
  pointers: ['shared/library/media/{pointers,placement,place,media,objects}.ts', 'shared/library/trash/*.ts'],
  jobs: ['shared/library/jobs/*.ts'],
  zips: ['shared/library/zips/*.ts'],
  search: ['shared/library/search/*.ts', 'shared/backends/search/{query,filters,match,terms,ranking,scope,page,browse,candidates}.ts'],
  links: ['shared/library/links/*.ts', 'shared/library/media/link.ts'],
}
