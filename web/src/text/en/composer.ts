export const composer = {
  attach: 'Attach files',
  send: 'Send',
  drop: 'Drop to attach',
  files: 'Attached files',
  uploading: (name: string) => `Uploading ${name}`,
  cancelUpload: (name: string) => `Cancel upload of ${name}`,
  removeFile: (name: string) => `Remove ${name}`,
  dictate: 'Dictate',
  endDictation: 'Stop dictation',
  noMicrophone: 'Allow this page to use the microphone in the browser’s settings.',
  dictationFailed: 'Couldn’t recognize speech. Check the microphone and the connection.',
};
