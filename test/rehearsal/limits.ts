/** What a rehearsal doesn't prove, because the emulator can't do it: printed with every run, beside the tests that are skipped. */
export const limits = [
  'CloudFront: that it refuses unsigned, forged and expired URLs (the signatures themselves are checked; `npm run smoke` asks a real stack), caching, HTTP/3, own host names',
  'CloudFront: that an edge function chooses the origin, and that the renderer takes requests by signature (it is invoked with its real role, and answers whole); that a link that ended answers 404; cache tags (which tags are invalidated is checked)',
  'API Gateway: its limits and time-outs, the shape of its answer when a function fails, the extensions of the OpenAPI document (the emulator is taught what the product uses)',
  'Lambda: that it stops a function that starts itself after 16 rounds (the emulator counts none; a template check finds the functions that do so, and demands that they may)',
  'Lambda: answers that stream (whole here), and `/tmp` by its name (the emulator leads each function to a folder of its own)',
  'Lambda: that it keeps changes that a consumer gave up in S3 (a model of its poller gives them up by the properties of the template, and the command finds such objects)',
  'S3: the address of upload forms, names beyond ASCII in them, and the labels of downloads',
  'permissions of services for one another: gateway, queues, stream and schedules (`rehearsal-permissions` judges them by the template)',
  'MediaConvert: that it takes a job and what it makes of a video (a stand-in checks jobs by the published model and rights by the role, and encodes by ffmpeg), that its jobs may take their role',
  'Rekognition: what it sees on a picture, and that it reads the bucket for the function (a stand-in checks requests by the published model, and rights by the role)',
  'SES: how it judges sending (the emulator is taught to: by the sender, for its identity and the configuration set), and that it tells of bounces and complaints',
  'properties that CloudFormation would refuse (cfn-lint and the template tests look for them)',
  'arm64: the packages are those of AWS, and sharp finds the native parts of this machine beside them',
  'time: cold starts, memory, throughput',
]
