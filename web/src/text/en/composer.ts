export const composer = {
  attach: 'Attach files',
  send: 'Send',
  drop: 'Drop to attach',
  files: 'Attached files',
  uploading: (name: string) => `Uploading ${name}`,
  cancelUpload: (name: string) => `Cancel upload of ${name}`,
  removeFile: (name: string) => `Remove ${name}`,
};
