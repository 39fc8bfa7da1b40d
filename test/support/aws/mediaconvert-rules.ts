import type { CreateJobCommandInput, Output, OutputGroup } from '@aws-sdk/client-mediaconvert'

/**
 * What MediaConvert demands of a job besides its model, in sentences: rules that its documentation has in words.
 * Source: MediaConvert API Reference, "Jobs"; User Guide, "Creating ABR outputs", "Creating frame capture outputs".
 */
export function brokenRules(job: CreateJobCommandInput): string[] {
  const { ClientRequestToken: token = '', UserMetadata = {}, Settings } = job
  const metadata = Object.entries(UserMetadata)
  const { Inputs = [], OutputGroups = [] } = Settings ?? {}
  const selectors = Inputs.map(({ AudioSelectors = {} }) => Object.keys(AudioSelectors))
  const outputs = OutputGroups.flatMap(({ Outputs = [] }) => Outputs)
  const sounds = outputs.flatMap(({ AudioDescriptions = [] }) => AudioDescriptions)
  return broken({
    'a token has at most 64 ASCII characters': !/^[\x21-\x7e]{0,64}$/.test(token),
    'metadata has at most ten tags of 256 characters': metadata.length > 10 || metadata.flat().some((text) => text.length > 256),
    'an address of an input has at most 300 characters, or it is not found again': Inputs.some(
      ({ FileInput = '' }) => FileInput.length > 300,
    ),
    'a sound comes from a selector that every input has': sounds.some(({ AudioSourceName = '' }) =>
      selectors.some((names) => !names.includes(AudioSourceName)),
    ),
    'captured frames come beside another output': outputs.every(isCapture),
  }).concat(OutputGroups.flatMap(brokenGroupRules))
}

function brokenGroupRules({ OutputGroupSettings, Outputs = [] }: OutputGroup): string[] {
  const { Type, CmafGroupSettings: cmaf, FileGroupSettings: file } = OutputGroupSettings ?? {}
  const destination = (cmaf ?? file)?.Destination ?? ''
  const names = Outputs.map(({ NameModifier = '' }) => NameModifier)
  const isCmaf = Type === 'CMAF_GROUP_SETTINGS'
  return broken({
    'a group has the settings of its type': Type !== (cmaf ? 'CMAF_GROUP_SETTINGS' : file ? 'FILE_GROUP_SETTINGS' : undefined),
    'a destination names what its files begin with': !/^s3:\/\/[^/]+\/.*[^/]$/.test(destination),
    'several outputs of a group have names of their own': Outputs.length > 1 && (names.includes('') || new Set(names).size < names.length),
    'an output of CMAF has video or sound': isCmaf && Outputs.some((each) => hasVideo(each) === hasSound(each)),
    'an output of CMAF is in its container': isCmaf && Outputs.some(({ ContainerSettings }) => ContainerSettings?.Container !== 'CMFC'),
    'fragments fit into segments': cmaf !== undefined && (cmaf.SegmentLength ?? 10) % (cmaf.FragmentLength ?? 2) !== 0,
    'renditions of sound that a video names are there': Outputs.some(({ ContainerSettings }) => {
      const wanted = ContainerSettings?.CmfcSettings?.AudioRenditionSets
      const groups = Outputs.map((other) => other.ContainerSettings?.CmfcSettings?.AudioGroupId)
      return wanted?.split(',').some((group) => !groups.includes(group)) ?? false
    }),
  }).concat(Outputs.flatMap(brokenOutputRules))
}

function brokenOutputRules(output: Output): string[] {
  const { Width = 0, Height = 0, CodecSettings } = output.VideoDescription ?? {}
  const { Codec, H264Settings: h264, FrameCaptureSettings: capture } = CodecSettings ?? {}
  const sides = [Math.min(Width, Height), Math.max(Width, Height)] as const
  if (!hasVideo(output)) return broken({ 'an output has something': !hasSound(output) })
  return broken({
    'the sides of a video are even': Width % 2 !== 0 || Height % 2 !== 0,
    'H.264 goes up to 4096 x 2160': sides[0] > 2160 || sides[1] > 4096,
    'a video has the settings of its codec': Codec !== (h264 ? 'H_264' : capture ? 'FRAME_CAPTURE' : undefined),
    'captured frames are in no container, and silent':
      isCapture(output) && (output.ContainerSettings?.Container !== 'RAW' || hasSound(output)),
    'QVBR has a bitrate at most, and none on average':
      h264?.RateControlMode === 'QVBR' && (h264.MaxBitrate === undefined || h264.Bitrate !== undefined),
    'a length of GOPs has its unit': (h264?.GopSize === undefined) !== (h264?.GopSizeUnits === undefined),
    'a frame rate is a fraction where it is said': isWrongFraction(
      h264?.FramerateControl,
      h264?.FramerateNumerator,
      h264?.FramerateDenominator,
    ),
    'an aspect of pixels is a fraction where it is said': isWrongFraction(h264?.ParControl, h264?.ParNumerator, h264?.ParDenominator),
  })
}

/** Whether a fraction is missing where it is said, or there where the source's is kept. */
function isWrongFraction(control: string | undefined, numerator: number | undefined, denominator: number | undefined): boolean {
  const isSaid = control === 'SPECIFIED'
  return isSaid !== (numerator !== undefined) || isSaid !== (denominator !== undefined)
}

function hasVideo({ VideoDescription }: Output): boolean {
  return VideoDescription !== undefined
}

function hasSound({ AudioDescriptions = [] }: Output): boolean {
  return AudioDescriptions.length > 0
}

function isCapture({ VideoDescription }: Output): boolean {
  return VideoDescription?.CodecSettings?.Codec === 'FRAME_CAPTURE'
}

/** The rules that are broken. */
function broken(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(rules).filter((rule) => rules[rule])
}
