/** Parameters that no search takes, each beside right ones. */
export const wrongSearch = {
  direction: 'asc',
  order: 'distance',
  media_count: -1,
  media_offset: 9_999,
  media_type: 'picture',
  orientation: 'square',
  min_date: 'yesterday',
  max_date: '2025-02-30T00:00:00Z',
  thumbnail_size: '100px',
  query_type: 'fuzzy',
  min_width: 'wide',
  max_expiration_date: '2025-13-01',
  unique_media_id: 'x',
  recursive: 'maybe',
  exclude_expired_media: 'maybe',
  return_values: '',
}
