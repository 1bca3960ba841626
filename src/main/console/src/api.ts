import type { Json, Resource, Status, WatchEvent } from './types';

/** What every request carries: it shows the server that this page sends it (ConsoleSessions). */
const HEADER = { 'X-Keelson-Console': '1' };

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
export const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json';
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

/** The user whose view is shown; the server checks the right to impersonate on every request. */
export interface Acting {
  user: string;
  /** One at most: a browser would join several headers of one name into one value. */
  group: string;
}

const ACTING = 'keelson-acting';

/** As whom this window acts; undefined as the signed-in user. */
export function acting(): Acting | undefined {
  const kept = sessionStorage.getItem(ACTING);
  return kept ? (JSON.parse(kept) as Acting) : undefined;
}

/** Shows the console as another user sees it, in this window; undefined ends that. */
export function actAs(other: Acting | undefined): void {
  if (other) {
    sessionStorage.setItem(ACTING, JSON.stringify(other));
  } else {
    sessionStorage.removeItem(ACTING);
  }
  // nothing of what one user has seen is shown to be seen by the other
  location.assign('/console/');
}

function impersonation(): Record<string, string> {
  const other = acting();
  return other ? { 'Impersonate-User': other.user, ...(other.group ? { 'Impersonate-Group': other.group } : {}) } : {};
}

/** What the server says of the session; times are in seconds since the epoch. */
export interface Session {
  /** Whether users can log in at an OpenID Connect provider. */
  login: boolean;
  /** The issuers to choose from, if there are several. */
  issuers?: string[];
  end?: number;
  refresh?: boolean;
  tokenEnd?: number;
}

let known: Session | undefined;

export async function sessionState(): Promise<Session> {
  const response = await fetch('/console/session', { headers: HEADER, cache: 'no-store' });
  known = response.ok ? ((await response.json()) as Session) : { login: false };
  return known;
}

/**
 * Gets newer tokens for the session, in one window at a time: a provider takes a refresh token
 * once.
 *
 * @returns whether the session has newer tokens than this window knew
 */
export function refreshSession(): Promise<boolean> {
  const before = known?.tokenEnd;
  return navigator.locks.request('keelson-session', async () => {
    const now = await sessionState();
    if (!isShown(now) || !now.refresh) {
      return false;
    }
    if (before !== undefined && now.tokenEnd !== before) {
      return true;
    }
    const response = await fetch('/console/session/refresh', { method: 'POST', headers: HEADER, cache: 'no-store' });
    known = response.ok ? ((await response.json()) as Session) : known;
    return response.ok;
  });
}

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Refreshes a minute before the token expires, as long as the page is there, and signs out when the session is
 * over: a watch would go on.
 *
 * @returns what ends that
 */
export function keepSession(): () => void {
  let timer: number | undefined;
  const at = (seconds: number, action: () => void) => {
    clearTimeout(timer);
    timer = window.setTimeout(action, Math.min(Math.max(5_000, seconds * 1000 - Date.now()), LONGEST_TIMER));
  };
  // a server that cannot be reached is asked again after the shortest time
  const look = () => void sessionState().then((now) => (now.end === undefined ? onUnauthorized() : plan(now)), () => at(0, look));
  const plan = (session: Session) => {
    const { refresh, tokenEnd = Infinity, end = Infinity } = session;
    if (refresh && tokenEnd < end) {
      at(tokenEnd - 60, () => void refreshSession().then((done) => (done && known ? plan(known) : look()), () => at(0, look)));
    } else if (Math.min(tokenEnd, end) < Infinity) {
      at(Math.min(tokenEnd, end), look);
    }
  };
  sessionState().then(plan, () => {});
  return () => clearTimeout(timer);
}

/** Tells the other windows of this browser that they may have another session now. */
const sessions = new BroadcastChannel('keelson-session');
/** The session whose user this window shows: a session ends at a time of its own. */
let shown: { end: number | undefined; changed: () => void } | undefined;

/** Whether the browser still has the session whose user this window shows; else the window is told. */
function isShown(session: Session): boolean {
  if (!shown || session.end === shown.end) {
    return true;
  }
  shown.changed();
  return false;
}

/**
 * Follows the session, which all windows of the browser share: tells the others that this window has begun with
 * one, and hears from them.
 *
 * @param changed runs when another window has begun or ended a session
 * @returns what ends that
 */
export function followSession(changed: () => void): () => void {
  let over = false;
  sessionState().then(
    (session) => {
      if (!over) {
        shown = { end: session.end, changed };
        sessions.postMessage('changed');
      }
    },
    () => {},
  );
  sessions.onmessage = () => void sessionState().then(isShown, () => {});
  return () => {
    over = true;
    shown = undefined;
    sessions.onmessage = null;
  };
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
  const headers: Record<string, string> = { ...HEADER, ...impersonation(), Accept: call.accept ?? 'application/json' };
  if (call.body !== undefined) {
    headers['Content-Type'] = call.contentType ?? 'application/json';
  }
  const ask = () => fetch(path, {
    method: call.method ?? 'GET',
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.signal ? { signal: call.signal } : {}),
  });
  let response = await ask();
  if (response.status === 401 && !path.startsWith('/console/') && (await refreshSession())) {
    response = await ask();
  }
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
  // the browser drops the cookies of a session that is over: the request was then nobody's
  if (response.status === 401 || (response.status === 403 && /: User "system:anonymous" cannot /.test(status?.message ?? ''))) {
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
    // who acts as another without the right to is told so, and can end it
    if (error instanceof ApiError && (error.code === 401 || (error.code === 403 && !acting()))) {
      return undefined;
    }
    throw error;
  }
}

export async function signIn(token: string): Promise<void> {
  await send('/console/session', { method: 'POST', body: JSON.stringify({ token }) });
  sessions.postMessage('changed');
}

/** Signs out here, and goes to the provider to sign out there as well if it can. */
export async function signOut(): Promise<void> {
  sessionStorage.removeItem(ACTING);
  const response = await fetch('/console/session', { method: 'DELETE', headers: HEADER, cache: 'no-store' });
  sessions.postMessage('changed');
  if (response.status === 200) {
    location.assign(((await response.json()) as { endSession: string }).endSession);
  }
}

/** A value in a field selector: commas, equals signs and backslashes are its own syntax. */
export function fieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
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
