// Refuses Windows with a sentence, as the first thing that `npm ci` runs of the project. Its scripts are those of a POSIX shell.
if (process.platform === 'win32') {
  process.stderr.write(
    'The media library runs on Linux and macOS. On Windows, run it in the Windows Subsystem for Linux (wsl --install).\n',
  )
  process.exit(1)
}
