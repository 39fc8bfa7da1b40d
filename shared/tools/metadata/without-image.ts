import { dirname } from 'node:path'
import { Workspace } from '../workspace.ts'
import { joinPng, writeBarePng } from './image-data/bare-png.ts'
import { BinaryFile } from './image-data/binary-file.ts'
import { formatOf } from './image-data/format.ts'

export type WriteCopy = (source: string, target: string) => Promise<void>

/**
 * Writes a copy of a file. For a PNG, `write` gets a file without image data, which is put back afterwards.
 * @throws ToolFailed, and what `write` throws
 */
export async function withoutImage(source: string, target: string, write: WriteCopy): Promise<void> {
  if (!(await isPng(source))) return await write(source, target)
  await using workspace = await Workspace.open('png', dirname(target))
  const [bare, written] = [workspace.path('bare'), workspace.path('written')]
  await writeBarePng(source, bare)
  await write(bare, written)
  await joinPng(written, source, target)
}

async function isPng(path: string): Promise<boolean> {
  await using file = await BinaryFile.open(path)
  return (await formatOf(file)) === 'png'
}
