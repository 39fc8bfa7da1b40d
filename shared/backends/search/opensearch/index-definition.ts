import type { API, Types } from '@opensearch-project/opensearch'

type Property = Types.Common_Mapping.Property

/** Separates the values of a field, so that no phrase and no run of characters spans two of them. */
const position_increment_gap = 100

/** Folded tokens. The beginnings of words, up to four characters, are terms of their own: most words begin with the first few letters that are typed. */
const tokens: Property = {
  type: 'text',
  analyzer: 'tokens',
  norms: false,
  index_prefixes: { min_chars: 1, max_chars: 4 },
  position_increment_gap,
}

/** Runs of three characters, which find longer substrings as phrases. */
const grams: Property = { type: 'text', analyzer: 'grams', norms: false, position_increment_gap }
/** Runs of one and two characters: substrings that have no run of three. */
const short: Property = { type: 'text', analyzer: 'short', norms: false, index_options: 'docs' }

const keyword: Property = { type: 'keyword' }
const long: Property = { type: 'long' }
const integer: Property = { type: 'integer' }

/**
 * What an index of OpenSearch is made of: analyzers and fields. Texts come folded (vocabulary/folding.ts), so that both engines find the same;
 * the analyzers only split them. Files of all companies share the index.
 */
export const indexDefinition: API.Indices_Create_RequestBody = {
  settings: {
    analysis: {
      analyzer: {
        tokens: { type: 'custom', tokenizer: 'whitespace' },
        grams: { type: 'custom', tokenizer: 'grams' },
        short: { type: 'custom', tokenizer: 'short' },
      },
      tokenizer: {
        grams: { type: 'ngram', min_gram: 3, max_gram: 3, token_chars: [] },
        short: { type: 'ngram', min_gram: 1, max_gram: 2, token_chars: [] },
      },
    },
  },
  mappings: {
    dynamic: 'strict',
    properties: {
      /** Absent where the file is removed: no search finds it. */
      company: keyword,
      mediaId: long,
      /** Company of a removed file. */
      removedFrom: keyword,
      /** `ageOf` the document. */
      age: long,
      folders: keyword,
      /** The folder of a file that is in one only. */
      only: keyword,
      /** The folders of a file that is in several. */
      several: { type: 'nested', properties: { folder: keyword } },
      kind: keyword,
      created: long,
      cameraCreated: long,
      modified: long,
      width: integer,
      height: integer,
      longSide: integer,
      shortSide: integer,
      orientation: keyword,
      hasPlace: { type: 'boolean' },
      place: { type: 'geo_point' },
      /** As a number: 20240229. */
      expires: integer,
      /** By what files are ordered by name. */
      filenameKey: keyword,
      hasByline: { type: 'boolean' },
      bylineKey: keyword,
      /** The folders in their order. */
      placement: keyword,
      /** What is suggested to who types its beginning. */
      phrases: keyword,
      bytes: long,
      /** All texts. */
      words: tokens,
      /** Title and keywords. */
      heading: { ...tokens, fields: { grams, short } },
      /** For substrings only: its words are among all texts. */
      filename: { ...grams, fields: { short } },
      /** How far a rebuild is (rebuild.ts). */
      progress: { type: 'object', enabled: false },
    },
  },
}
