import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { images } from './images.ts'

/** What ExifTool writes into each file: its options, then `-Group:Tag=value`. */
export const tagged = {
  'iptc-latin1.jpg': [
    '-IPTC:Headline=Fjällräven café',
    '-IPTC:By-line=Zoë Müller',
    '-IPTC:CopyrightNotice=© Zoë Müller',
    '-IPTC:Keywords=sjö',
    '-IPTC:Keywords=  blåbär ',
    '-IPTC:Keywords=sjö',
    '-IPTC:Caption-Abstract=Över sjön',
  ],
  'iptc-utf8.jpg': [
    '-IPTC:CodedCharacterSet=UTF8',
    '-IPTC:ObjectName=Øresund 海峡',
    '-IPTC:Keywords=海',
    '-IPTC:By-lineTitle=Fotograf',
    '-IPTC:Caption-Abstract=Bro över 海',
  ],
  'xmp.jpg': [
    '-XMP-dc:Title=Default title',
    '-XMP-dc:Title-da=Dansk titel',
    '-XMP-dc:Description-en=English only',
    '-IPTC:Headline=Loses to XMP',
    '-EXIF:ImageDescription=Loses to XMP too',
  ],
  'numbers.jpg': ['-IPTC:ObjectName=2.50', '-IPTC:Keywords=007', '-IPTC:Keywords=1e3', '-IPTC:By-line=True', '-XMP-dc:Description=0042.0'],
  'gps-south-west.jpg': [
    '-EXIF:GPSLatitude=33.8688',
    '-EXIF:GPSLatitudeRef=S',
    '-EXIF:GPSLongitude=70.6483',
    '-EXIF:GPSLongitudeRef=W',
    '-EXIF:DateTimeOriginal=2021:07:01 12:30:00',
    '-EXIF:OffsetTimeOriginal=-04:00',
  ],
  'gps-unset.jpg': ['-EXIF:GPSLatitude=0', '-EXIF:GPSLatitudeRef=N', '-EXIF:GPSLongitude=0', '-EXIF:GPSLongitudeRef=E'],
  'time-without-offset.jpg': ['-EXIF:DateTimeOriginal=2019:02:28 23:59:59', '-EXIF:SubSecTimeOriginal=77'],
  /** As phones and darktable write: an old print that was scanned, without IPTC and coordinates in EXIF. */
  'xmp-alone.jpg': [
    '-XMP-dc:Subject=sea',
    '-XMP-dc:Subject=båt',
    '-XMP-exif:GPSLatitude=55.675',
    '-XMP-exif:GPSLongitude=-12.575',
    '-XMP-photoshop:DateCreated=1955-06',
    '-EXIF:CreateDate=2020:01:02 03:04:05',
  ],
  'iptc-time.jpg': ['-IPTC:DateCreated=2003:04:05', '-IPTC:TimeCreated=10:00:00+02:00'],
} satisfies { [name: string]: string[] }

/** Writes `plain.jpg` with these tags to a folder. @returns its path */
export async function taggedJpeg(exiftool: ExifTool, directory: string, name: keyof typeof tagged): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, await images['plain.jpg']())
  const { errors } = await exiftool.run(['-overwrite_original', ...tagged[name]], path)
  if (errors !== '') throw new Error(errors)
  return path
}
