import { randomBytes } from 'node:crypto'
import {
  type CloudFrontClient,
  CreatePublicKeyCommand,
  DeletePublicKeyCommand,
  GetKeyGroupCommand,
  GetPublicKeyCommand,
  ListPublicKeysCommand,
  NoSuchPublicKey,
  type PublicKeySummary,
  UpdateKeyGroupCommand,
} from '@aws-sdk/client-cloudfront'
import { type KeyValues, validValues } from '../../../shared/backends/secrets/port.ts'
import { newSigningKey, publicHalf, readSigningKey, withId } from '../../../shared/backends/secrets/signing-key.ts'
import type { KeyWork } from '../../homes/rotate-key.ts'

/** Milliseconds until every edge knows the keys of a group. CloudFront reports no state, and most changes take some minutes. */
const EDGES_MS = 10 * 60_000

/** Of the name of a key: what is left of 64 characters, the shortest that CloudFront takes, for the end that is drawn. */
const STEM = 50

/**
 * Rotates a stack's key for URLs: CloudFront's key group has the public halves of the next and the current key alone. The template names only the
 * first key, and CloudFormation leaves a group alone that the template doesn't change.
 * @param group id of the key group
 * @param firstId id of the key that the stack has made
 */
export function stackUrlKeyWork(client: CloudFrontClient, { group, firstId }: { group: string; firstId: string }): KeyWork {
  const idsOf = (values: KeyValues) => validValues(values).map((value) => readSigningKey(value, firstId).keyPairId)

  async function readGroup() {
    const { KeyGroup, ETag } = await client.send(new GetKeyGroupCommand({ Id: group }))
    return { config: KeyGroup!.KeyGroupConfig!, ETag }
  }

  return {
    announcedMs: EDGES_MS,
    async makeNext() {
      const pem = newSigningKey()
      const Name = stemOf((await readGroup()).config.Name!) + randomBytes(6).toString('hex')
      const EncodedKey = publicHalf(readSigningKey(pem, ''))
      const { PublicKey } = await client.send(
        new CreatePublicKeyCommand({ PublicKeyConfig: { CallerReference: Name, Name, EncodedKey, Comment: 'Made by: key rotate' } }),
      )
      return withId(pem, PublicKey!.Id!)
    },
    async announce(values) {
      const { config, ETag } = await readGroup()
      const Items = idsOf(values)
      if (JSON.stringify([...Items].sort()) === JSON.stringify([...config.Items!].sort())) return
      await client.send(new UpdateKeyGroupCommand({ Id: group, IfMatch: ETag, KeyGroupConfig: { ...config, Items } }))
    },
    async finish(values) {
      const { config } = await readGroup()
      const used = new Set([...idsOf(values), ...config.Items!])
      await removeRotatedKeys(client, config.Name!, ({ Id }) => !used.has(Id!))
    },
  }
}

/**
 * Removes public keys of rotations. No key group may use them any more.
 * @param groupName name of their key group
 */
export async function removeRotatedKeys(client: CloudFrontClient, groupName: string, isUnused: (key: PublicKeySummary) => boolean) {
  for (const key of await publicKeys(client)) {
    const isOurs = key.Name?.startsWith(stemOf(groupName)) && /^[0-9a-f]{12}$/.test(key.Name.slice(stemOf(groupName).length))
    if (!isOurs || !isUnused(key)) continue
    try {
      const { ETag } = await client.send(new GetPublicKeyCommand({ Id: key.Id }))
      await client.send(new DeletePublicKeyCommand({ Id: key.Id, IfMatch: ETag }))
    } catch (error) {
      if (!(error instanceof NoSuchPublicKey)) throw error
    }
  }
}

async function publicKeys(client: CloudFrontClient): Promise<PublicKeySummary[]> {
  const all: PublicKeySummary[] = []
  let Marker: string | undefined
  do {
    const { PublicKeyList } = await client.send(new ListPublicKeysCommand({ Marker }))
    all.push(...(PublicKeyList?.Items ?? []))
    Marker = PublicKeyList?.NextMarker
  } while (Marker)
  return all
}

const stemOf = (groupName: string) => `${groupName.slice(0, STEM)}-`
