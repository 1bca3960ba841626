import { useEffect, useMemo, useState } from 'preact/hooks';
import { METADATA_LIST, actAs, acting, get, keepSession, messageOf, pathOf, sessionState, signIn, signOut, whenUnauthorized, whoAmI, type User } from './api';
import { discover, type Catalog } from './discovery';
import { Lazy } from './lazy';
import { ObjectView } from './object';
import { Overview } from './overview';
import { ErrorBox } from './parts';
import { LOGIN, followLinks, go, tableLink, useRoute, type Route } from './router';
import { Shortcuts } from './shortcuts';
import { TableView } from './table';
import type { KubeObject, List, Resource } from './types';

/** undefined: not known yet; null: nobody. */
type Known = User | null | undefined;

export function App() {
  const [user, setUser] = useState<Known>();
  const [catalog, setCatalog] = useState<Catalog>();
  const [error, setError] = useState<unknown>();
  const look = () => {
    setError(undefined);
    whoAmI().then((found) => setUser(found ?? null), setError);
  };
  useEffect(() => {
    whenUnauthorized(() => setUser(null));
    look();
  }, []);
  useEffect(() => (user ? keepSession() : undefined), [user]);
  useEffect(() => {
    if (user) {
      discover().then(setCatalog, setError);
    }
  }, [user]);
  if (user === null) {
    return <SignIn done={look} />;
  }
  if (error !== undefined) {
    return (
      <main class="alone">
        <ErrorBox error={error} />
        <Banner />
      </main>
    );
  }
  return user && catalog ? <Console user={user} catalog={catalog} leave={() => setUser(null)} /> : <p class="loading">Keelson</p>;
}

/** Why a login at the provider has failed, by what the server puts into the address. */
const FAILURES: Record<string, string> = {
  expired: 'The login took too long, or was begun in another window. Begin it again.',
  denied: 'The provider has not confirmed the login.',
  refused: 'The server does not accept what the provider has sent. Its log says why.',
  unavailable: 'The OpenID Connect provider cannot be reached.',
};

/** Where a login comes back to: the view that was asked for. */
function loginLink(issuer?: string): string {
  const query = new URLSearchParams(location.search);
  query.delete('login');
  const text = query.toString();
  const at = issuer ? `&issuer=${encodeURIComponent(issuer)}` : '';
  return `${LOGIN}?to=${encodeURIComponent(location.pathname + (text ? '?' + text : ''))}${at}`;
}

function SignIn({ done }: { done: () => void }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState(FAILURES[new URLSearchParams(location.search).get('login') ?? ''] ?? '');
  const [provider, setProvider] = useState(false);
  const [issuers, setIssuers] = useState<string[]>([]);
  useEffect(() => {
    sessionState().then(
      (session) => {
        setProvider(session.login);
        setIssuers(session.issuers ?? []);
      },
      () => setProvider(false),
    );
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    setError('');
    signIn(token.trim()).then(
      () => {
        setToken('');
        done();
      },
      (problem) => setError(problem.code === 401 ? 'The server does not accept this token.' : messageOf(problem)),
    );
  };
  return (
    <main class="alone">
      <form class="sign-in" onSubmit={submit}>
        <h1>Keelson</h1>
        {issuers.map((issuer) => (
          <a class="button primary" key={issuer} href={loginLink(issuer)}>
            Sign in at {issuer.replace(/^https:\/\//, '')}
          </a>
        ))}
        {provider && !issuers.length && (
          <a class="button primary" href={loginLink()}>
            Sign in with OpenID Connect
          </a>
        )}
        <label>
          Bearer token
          <input
            type="password"
            name="token"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class={provider ? '' : 'primary'}>
          Sign in
        </button>
        <p class="hint">
          <code>kubectl create token NAME</code> prints a token of a service account. With a client certificate in the browser no token is
          needed: the page opens signed in.
        </p>
      </form>
    </main>
  );
}

function Console({ user, catalog, leave }: { user: User; catalog: Catalog; leave: () => void }) {
  const route = useRoute();
  const type = route.view === 'table' || route.view === 'object' || route.view === 'create' ? catalog.find(route.group, route.resource, route.version) : undefined;
  const namespace = 'namespace' in route ? route.namespace : '';
  useEffect(() => {
    document.title = [route.view === 'object' ? route.name : '', type?.kind, 'Keelson'].filter(Boolean).join(' · ');
  }, [route, type]);
  return (
    <div class="console" onClick={followLinks}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Shortcuts type={type} />
      <Navigation catalog={catalog} type={type} namespace={namespace} />
      <div class="page">
        <div role="banner">
          <Top user={user} catalog={catalog} type={type} namespace={namespace} leave={leave} />
          <Banner />
        </div>
        <main id="content" tabIndex={-1}>
          <View route={route} type={type} catalog={catalog} />
        </main>
      </div>
    </div>
  );
}

function View({ route, type, catalog }: { route: Route; type: Resource | undefined; catalog: Catalog }) {
  if (route.view === 'overview') {
    return <Overview catalog={catalog} />;
  }
  if (type && route.view === 'table') {
    const key = `${type.group}/${type.resource}/${route.namespace}`;
    return <TableView key={key} type={type} namespace={route.namespace} search={route.query} />;
  }
  if (type && route.view === 'object') {
    const key = `${type.group}/${type.resource}/${route.namespace}/${route.name}`;
    return <ObjectView key={key} type={type} namespace={route.namespace} name={route.name} search={route.query} catalog={catalog} />;
  }
  if (type && route.view === 'create') {
    return <Lazy load={() => import('./create').then((part) => part.CreateView)} props={{ type, namespace: route.namespace }} />;
  }
  if (route.view === 'access') {
    return <Lazy load={() => import('./access').then((part) => part.AccessView)} props={{ catalog, search: route.query }} />;
  }
  if (route.view === 'changes') {
    return <Lazy load={() => import('./changes').then((part) => part.ChangesView)} props={{ catalog, search: route.query }} />;
  }
  const events = catalog.find('audit.keelson.dev', 'auditevents');
  if (route.view === 'audit' && events) {
    return <Lazy load={() => import('./audit').then((part) => part.AuditView)} props={{ type: events, catalog, search: route.query }} />;
  }
  return (
    <p class="empty">
      The server has no such type. <a href="/console/">To the overview</a>
    </p>
  );
}

/** Says for whom the page is shown, as long as it is not the signed-in user. */
function Banner() {
  const other = acting();
  return other ? (
    <p class="acting" role="status">
      <span>
        You see the console as <strong>{other.user}</strong>
        {other.group && ` in the group ${other.group}`}, with the rights of this user.
      </span>{' '}
      <button type="button" onClick={() => actAs(undefined)}>
        Be yourself again
      </button>
    </p>
  ) : null;
}

function Top({ user, catalog, type, namespace, leave }: { user: User; catalog: Catalog; type: Resource | undefined; namespace: string; leave: () => void }) {
  const byCertificate = user.extra?.['authentication.kubernetes.io/credential-id']?.some((id) => id.startsWith('X509'));
  return (
    <div class="top">
      <Namespaces catalog={catalog} type={type} namespace={namespace} />
      <ThemeButton />
      <span class="user" title={(user.groups ?? []).join('\n')}>
        {user.username}
      </span>
      {byCertificate ? (
        <span class="hint" title="The browser holds the certificate; it is used until the browser is closed.">
          by certificate
        </span>
      ) : (
        <button type="button" onClick={() => void signOut().finally(leave)}>
          Sign out
        </button>
      )}
    </div>
  );
}

const THEME = 'keelson-theme';

/** Dark, light, or what the system says. */
function ThemeButton() {
  const [theme, setTheme] = useState(localStorage.getItem(THEME) ?? '');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
  const next = theme === '' ? 'dark' : theme === 'dark' ? 'light' : '';
  return (
    <button type="button" onClick={() => setTheme(next)} aria-label={`Colours: ${theme || 'system'}; change to ${next || 'system'}`}>
      Colours: {theme || 'system'}
    </button>
  );
}

/** The namespaces that the user may see. */
function Namespaces({ catalog, type, namespace }: { catalog: Catalog; type: Resource | undefined; namespace: string }) {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    const visible = catalog.find('access.keelson.dev', 'visiblenamespaces') ?? catalog.find('', 'namespaces');
    const load = () => {
      if (visible) {
        get<List<KubeObject>>(pathOf(visible), visible.group ? {} : { accept: METADATA_LIST }).then(
          (list) => setNames(list.items.map((item) => item.metadata.name).sort()),
          // the list is an offer: a namespace can be written in the address
          () => setNames([]),
        );
      }
    };
    load();
    addEventListener('focus', load);
    return () => removeEventListener('focus', load);
  }, [catalog]);
  if (!type?.namespaced) {
    return <span class="namespaces" />;
  }
  const offered = namespace && !names.includes(namespace) ? [...names, namespace] : names;
  return (
    <label class="namespaces">
      Namespace
      <select value={namespace} onChange={(event) => go(tableLink(type, event.currentTarget.value))}>
        <option value="">all</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The groups that most users look for first; others follow by name. */
const FIRST = ['', 'apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io', 'storage.k8s.io'];

function Navigation({ catalog, type, namespace }: { catalog: Catalog; type: Resource | undefined; namespace: string }) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState(false);
  const groups = useMemo(() => grouped(catalog.listed(), filter.toLowerCase()), [catalog, filter]);
  return (
    <nav class={open ? 'types open' : 'types'} aria-label="Types">
      <div class="brand">
        <a href="/console/">Keelson</a>
        <button type="button" class="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          Types
        </button>
      </div>
      <div class="list" onClick={() => setOpen(false)}>
        <input
          type="search"
          aria-label="Find a type"
          placeholder="Find a type (t)"
          data-shortcut="t"
          value={filter}
          onClick={(event) => event.stopPropagation()}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <ul class="tools">
          {tools(catalog).map(([title, address]) => (
            <li key={address}>
              <a href={address} {...(location.pathname === address ? { 'aria-current': 'page' as const } : {})}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        {groups.map(([group, types]) => (
          <section key={group}>
            <h2>{group || 'core'}</h2>
            <ul>
              {types.map((each) => (
                <li key={each.resource}>
                  <a href={tableLink(each, each.namespaced ? namespace : '')} {...(each === type ? { 'aria-current': 'page' as const } : {})}>
                    {each.kind}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

/** The views that are of no single type. */
function tools(catalog: Catalog): [string, string][] {
  const all: [string, string][] = [
    ['Overview', '/console/'],
    ['Access', '/console/access'],
    ['Changes', '/console/changes'],
  ];
  return catalog.find('audit.keelson.dev', 'auditevents') ? [...all, ['Audit', '/console/audit']] : all;
}

function grouped(types: Resource[], filter: string): [string, Resource[]][] {
  const groups = new Map<string, Resource[]>();
  for (const type of types) {
    const words = [type.kind, type.resource, type.group, ...type.shortNames];
    if (words.some((word) => word.toLowerCase().includes(filter))) {
      groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
    }
  }
  const rank = (group: string) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}
