import { type CallOptions, Connection, type ErrandOptions } from './connection.ts';
import { methods, type OperationName, type Operations, secretOperations } from './operations.ts';
import { type TaskOutcome, waitForTask, type WaitOptions } from './task-outcome.ts';
import { type StreamItem, type StreamOptions, streamTask } from './task-stream.ts';
import { type UploadedFile, uploadFile } from './upload.ts';

export type Request<Name extends OperationName> = Operations[Name]['request'];
export type Response<Name extends OperationName> = Operations[Name]['response'];

type Call<Name extends OperationName> =
  Record<string, never> extends Request<Name>
    ? (input?: Request<Name>, options?: CallOptions) => Promise<Response<Name>>
    : (input: Request<Name>, options?: CallOptions) => Promise<Response<Name>>;

type Resource = OperationName extends infer Name ? (Name extends `${infer First}.${string}` ? First : never) : never;

/** The operations of one resource: `task.create` is `errand.task.create`. */
type Group<Of extends Resource> = {
  [Name in OperationName as Name extends `${Of}.${infer Action}` ? Action : never]: Call<Name>;
};

/** A service and its operations. Every failure is an `ErrandError`. */
export type Errand = { readonly [Of in Resource]: Group<Of> } & {
  /** Calls any operation by name. */
  call<Name extends OperationName>(name: Name, input: Request<Name>, options?: CallOptions): Promise<Response<Name>>;
  /** Every event of a task, each once and in order, even if connections break. */
  streamTask(taskId: string, options?: StreamOptions): AsyncGenerator<StreamItem>;
  /** Waits until the task has stopped, failed, or asked a question. */
  waitForTask(taskId: string, options?: WaitOptions): Promise<TaskOutcome>;
  /** Uploads a file and waits until messages can reference it. */
  uploadFile(filename: string, data: Blob | Uint8Array | string, signal?: AbortSignal): Promise<UploadedFile>;
};

/** A client for the service at `baseUrl`, acting as the owner of the credential. */
export function createErrand(options: ErrandOptions): Errand {
  const connection = new Connection(options);
  const call = (name: OperationName, input: object = {}, callOptions?: CallOptions) =>
    connection.call(
      name,
      methods[name],
      input,
      secretOperations.has(name) ? { ...callOptions, idempotencyKey: null } : callOptions,
    );
  const groups: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(methods) as OperationName[]) {
    const [resource = '', action = ''] = name.split('.');
    (groups[resource] ??= {})[action] = (input?: object, callOptions?: CallOptions) => call(name, input, callOptions);
  }
  return {
    ...groups,
    call,
    streamTask: (taskId: string, streamOptions: StreamOptions = {}) => streamTask(connection, taskId, streamOptions),
    waitForTask: (taskId: string, waitOptions: WaitOptions = {}) => waitForTask(connection, taskId, waitOptions),
    uploadFile: (filename: string, data: Blob | Uint8Array | string, signal?: AbortSignal) =>
      uploadFile(connection, filename, data, signal),
  } as unknown as Errand;
}
