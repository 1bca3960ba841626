import type { Json, Resource, Status, WatchEvent } from './types';

/** What every request carries: it shows the server that this page sends it (ConsoleSessions). */
const HEADER = { 'X-Keelson-Console': '1' };

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';

/** A response that is no success, with the server's Status if it sent one. */
export class ApiError extends Error {
  readonly code: number;
  readonly status: Status | undefined;

  constructor(code: number, message: string, status?: Status) {
    super(message);
    this.code = code;
    this.status = status;
  }

  get reason(): string {
    return this.status?.reason ?? '';
  }
}

let onUnauthorized = () => {};

/** Sets what runs when the server no longer knows the user. */
export function whenUnauthorized(action: () => void): void {
  onUnauthorized = action;
}

export interface Call {
  method?: string;
  accept?: string;
  contentType?: string;
  body?: string;
  signal?: AbortSignal;
}

/** Sends a request; throws an ApiError for every status that is no success. */
export async function send(path: string, call: Call = {}): Promise<Response> {
  const headers: Record<string, string> = { ...HEADER, Accept: call.accept ?? 'application/json' };
  if (call.body !== undefined) {
    headers['Content-Type'] = call.contentType ?? 'application/json';
  }
  const response = await fetch(path, {
    method: call.method ?? 'GET',
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.signal ? { signal: call.signal } : {}),
  });
  if (!response.ok) {
    throw await failure(response);
  }
  return response;
}

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text();
  let status: Status | undefined;
  try {
    const body = JSON.parse(text) as Status;
    status = body.kind === 'Status' ? body : undefined;
  } catch {
    // not every server in between answers with JSON; the text is shown
  }
  if (response.status === 401) {
    onUnauthorized();
  }
  return new ApiError(response.status, status?.message ?? (text || response.statusText), status);
}

export async function get<T>(path: string, call: Call = {}): Promise<T> {
  return (await (await send(path, call)).json()) as T;
}

export async function post<T>(path: string, body: unknown, call: Call = {}): Promise<T> {
  return (await (await send(path, { ...call, method: 'POST', body: JSON.stringify(body) })).json()) as T;
}

/** Reads the events of a watch until it ends. */
export async function watch<T>(path: string, call: Call, take: (event: WatchEvent<T>) => void): Promise<void> {
  const response = await send(path, call);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    // a large event comes in many parts: only what is new is searched for its end
    const end = value.lastIndexOf('\n');
    if (end < 0) {
      rest += value;
      continue;
    }
    const lines = (rest + value.slice(0, end)).split('\n');
    rest = value.slice(end + 1);
    for (const line of lines) {
      if (line) {
        take(JSON.parse(line) as WatchEvent<T>);
      }
    }
  }
}

/** The path of a type's objects, of those in a namespace, or of one. */
export function pathOf(type: Pick<Resource, 'group' | 'version' | 'resource'>, namespace = '', name = '', subresource = ''): string {
  const parts = type.group ? ['', 'apis', type.group, type.version] : ['', 'api', type.version];
  if (namespace) {
    parts.push('namespaces', namespace);
  }
  parts.push(type.resource);
  if (name) {
    parts.push(name);
  }
  if (subresource) {
    parts.push(subresource);
  }
  return parts.map(encodeURIComponent).join('/');
}

export function query(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length ? '?' + new URLSearchParams(given).toString() : '';
}

export interface User {
  username: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** Who the server takes the user for; undefined if it knows no user. */
export async function whoAmI(): Promise<User | undefined> {
  try {
    const review = await post<{ status: { userInfo: User } }>('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    });
    const user = review.status.userInfo;
    return user.username === 'system:anonymous' ? undefined : user;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 401 || error.code === 403)) {
      return undefined;
    }
    throw error;
  }
}

export async function signIn(token: string): Promise<void> {
  await send('/console/session', { method: 'POST', body: JSON.stringify({ token }) });
}

export async function signOut(): Promise<void> {
  await send('/console/session', { method: 'DELETE' });
}

/** What went wrong, in words for the user. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return error.message;
  }
  return error instanceof TypeError ? 'The server cannot be reached.' : String(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function isRecord(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
