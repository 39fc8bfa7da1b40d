import { hash } from 'node:crypto'
import { networksOf } from '../../network.ts'

/** The source that people in one network are to a link: an IPv4 address, or an IPv6 /64. Hashed: the table must not reveal addresses. */
export const sourceOf = (shareId: string, address: string): string => hash('sha256', `${shareId} ${networksOf(address)[0]}`)
