export const composer = {
  attach: 'Attach files',
  send: 'Send',
  drop: 'Let go to attach the files',
  files: 'Files of this message',
  uploading: (name: string) => `Uploading ${name}`,
  cancelUpload: (name: string) => `Cancel the upload of ${name}`,
  removeFile: (name: string) => `Remove ${name}`,
};
