package dev.keelson.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A Kubernetes API server in this JVM, on a free port of the loopback interface, with its store in
 * memory where the system has a directory for that, else in a temporary file. Needs Java 25; brings
 * no library onto the class path of the test. Safe for use by several threads.
 *
 * <pre>{@code
 * try (KeelsonServer server = KeelsonServer.start();
 *     KubernetesClient client = server.fabric8()) {
 *   client.configMaps().inNamespace("default").resource(...).create();
 * }
 * }</pre>
 */
public final class KeelsonServer implements AutoCloseable {

  private static final Map<List<String>, KeelsonServer> SHARED = new ConcurrentHashMap<>();

  /** The stores that were prepared, by their flags and class. */
  private static final Map<List<Object>, DataDirectory> PREPARED = new ConcurrentHashMap<>();

  private final Embedded embedded;
  private final Path directory;
  private final DataDirectory data;
  private final Faults faults;
  private final List<AutoCloseable> owned = new ArrayList<>();
  private boolean closed;

  private KeelsonServer(Embedded embedded, Path directory, DataDirectory data) {
    this.embedded = embedded;
    this.directory = directory;
    this.data = data;
    this.faults = new Faults(embedded);
  }

  /** Settings of a server. */
  public static final class Builder {

    private final List<String> flags = new ArrayList<>();
    private Class<? extends PreparedStore> store;

    private Builder() {}

    /**
     * Adds a flag, as on the command line: {@code --feature-gates=...}.
     *
     * @return this builder
     */
    public Builder flag(String flag) {
      flags.add(flag);
      return this;
    }

    /**
     * Nodes that run pods in appearance only: with a scheduler, and pods that become ready.
     *
     * @param count how many; 0 for none
     * @return this builder
     */
    public Builder simulatedNodes(int count) {
      return flag("--simulated-nodes=" + count);
    }

    /**
     * The controllers that run: names of kube-controller-manager, or {@code -*} for none. Without
     * this, all that are on by default run.
     *
     * @return this builder
     */
    public Builder controllers(String... names) {
      return flag("--controllers=" + String.join(",", names));
    }

    /**
     * The store that the server begins with a copy of; without this, it is empty. Not for a shared
     * server.
     */
    public Builder store(Class<? extends PreparedStore> prepared) {
      store = prepared;
      return this;
    }

    /** Starts the server; blocks until it is ready. */
    public KeelsonServer start() {
      return store == null
          ? KeelsonServer.start(flags, null)
          : KeelsonServer.start(flags, prepared(List.copyOf(flags), store).path());
    }

    /**
     * The server of this JVM with these settings, which all tests share; started when it is first
     * asked for, closed with the JVM. To close it does nothing.
     *
     * @throws IllegalStateException with a prepared store, of which each server has its copy
     */
    public KeelsonServer shared() {
      if (store != null) {
        throw new IllegalStateException("a server with a prepared store is not shared");
      }
      return SHARED.computeIfAbsent(List.copyOf(flags), KeelsonServer::startShared);
    }
  }

  /** A builder with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts a server with its defaults; blocks until it is ready. */
  public static KeelsonServer start() {
    return builder().start();
  }

  private static KeelsonServer startShared(List<String> flags) {
    KeelsonServer server = start(flags, null);
    Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "keelson-shared-stop"));
    return server;
  }

  private static DataDirectory prepared(List<String> flags, Class<? extends PreparedStore> store) {
    return PREPARED.computeIfAbsent(List.of(flags, store), key -> prepare(flags, store));
  }

  private static DataDirectory prepare(List<String> flags, Class<? extends PreparedStore> store) {
    KeelsonServer server = start(flags, null);
    try {
      var constructor = store.getDeclaredConstructor();
      constructor.setAccessible(true);
      constructor.newInstance().prepare(server);
      DataDirectory kept = server.end();
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> remove(kept), "keelson-prepared-remove"));
      return kept;
    } catch (NoSuchMethodException e) {
      server.stop();
      throw new KeelsonException(
          store.getName() + " needs a constructor without parameters; nested classes are static",
          e);
    } catch (Exception e) {
      server.stop();
      throw new KeelsonException(store.getName() + " cannot be prepared: " + e, e);
    }
  }

  private static KeelsonServer start(List<String> given, Path copied) {
    ServerClasses loader = ServerLoader.get();
    try {
      Path directory = Files.createTempDirectory("keelson-junit");
      DataDirectory data = DataDirectory.create();
      try {
        if (copied == null) {
          // where the server has them by default
          ServerLoader.keys().take(data.path().resolve("pki"));
        } else {
          data.copyOf(copied);
        }
        Path policy = directory.resolve("audit-policy.json");
        ServerLoader.copy(ServerLoader.resource(ServerLoader.AUDIT_POLICY), policy);
        List<String> flags = new ArrayList<>();
        flags.add("--data-dir=" + data.path());
        flags.add("--sqlite-synchronous=OFF");
        flags.add("--authorization-mode=Node,RBAC");
        flags.add("--allow-privileged=true");
        flags.add("--console=false");
        // one server a store: nobody else could be the leader
        flags.add("--leader-elect=false");
        flags.add("--shutdown-delay-duration=0s");
        flags.add("--audit-policy-file=" + policy);
        flags.add("--audit-log-path=" + directory.resolve("audit.log"));
        flags.add("--audit-log-maxsize=1000");
        flags.addAll(given);
        return new KeelsonServer(Embedded.start(loader, flags), directory, data);
      } catch (IOException | RuntimeException e) {
        data.close();
        ServerLoader.delete(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the directory of the server", e);
    } finally {
      loader.started();
    }
  }

  Embedded embedded() {
    return embedded;
  }

  Path auditFile() {
    return directory.resolve("audit.log");
  }

  /** The base address, for example {@code https://127.0.0.1:40123}. */
  public String url() {
    return "https://127.0.0.1:" + embedded.port();
  }

  /** The certificate of the authority that clients must trust, in PEM. */
  public String authority() {
    return embedded.authority();
  }

  /** The kubeconfig of the administrator, a file that goes with the server. */
  public Path kubeconfig() {
    return embedded.adminKubeconfig();
  }

  /**
   * The text of a kubeconfig of a user, with a client certificate. The user has the rights of the
   * groups {@code groups} and of {@code system:authenticated}, and those that RBAC gives it.
   */
  public String kubeconfig(String user, String... groups) {
    return embedded.kubeconfig(user, List.of(groups));
  }

  /** The administrator, a member of {@code system:masters}. */
  public TestUser admin() {
    return new TestUser(this, "kubernetes-admin", read(kubeconfig()), "default");
  }

  /** A user with a client certificate of its own. */
  public TestUser user(String name, String... groups) {
    return new TestUser(this, name, kubeconfig(name, groups), "default");
  }

  /**
   * A new client of fabric8 for the administrator, which the caller closes. Needs {@code
   * kubernetes-client} on the class path of the test.
   */
  public io.fabric8.kubernetes.client.KubernetesClient fabric8() {
    return admin().fabric8();
  }

  /**
   * A new client of the Java client for the administrator. Needs {@code client-java} on the class
   * path of the test.
   */
  public io.kubernetes.client.openapi.ApiClient javaClient() {
    return admin().javaClient();
  }

  /**
   * Applies manifests by server-side apply: documents of YAML or JSON, in their order. A
   * CustomResourceDefinition is served when this returns.
   *
   * @param namespace of namespaced objects that name none
   * @return this server
   * @throws KeelsonException if the server refuses one
   */
  public KeelsonServer apply(String manifests, String namespace) {
    embedded.apply(manifests, namespace);
    return this;
  }

  /**
   * Applies manifests of the class path, such as {@code
   * META-INF/fabric8/widgets.example.com-v1.yml}.
   *
   * @param namespace of namespaced objects that name none
   * @return this server
   * @throws IllegalArgumentException if there is no such resource
   */
  public KeelsonServer applyResource(String resource, String namespace) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (InputStream stream =
        (loader == null ? KeelsonServer.class.getClassLoader() : loader)
            .getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalArgumentException(resource + " is not on the class path");
      }
      return apply(new String(stream.readAllBytes(), StandardCharsets.UTF_8), namespace);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  /** Creates a namespace, unless it exists; it can be used when this returns. */
  public KeelsonServer namespace(String name) {
    return apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}", "");
  }

  /** The requests from now on; see {@link AuditLog}. */
  public AuditLog audit() {
    return AuditLog.from(this);
  }

  /** The faults of this server. */
  public Faults faults() {
    return faults;
  }

  /** The time of the server: that of the system, and what it was moved forward. */
  public Instant now() {
    return Instant.ofEpochMilli(embedded.millis());
  }

  /**
   * Moves the time of the server forward: what expires by then expires, CronJobs that were due get
   * their Jobs. The controllers start again, which takes some ten milliseconds. Not more than 11
   * months in all, since certificates are valid for a year.
   *
   * @throws KeelsonException if {@code time} is negative
   */
  public void advance(Duration time) {
    embedded.advanceClock(time);
  }

  /**
   * A new key and certificate for an HTTPS endpoint of the test, signed by {@link #authority}.
   *
   * @param names the DNS names and addresses of the endpoint
   * @return the key, then the certificate, in PEM
   */
  public List<String> servingIdentity(String... names) {
    return embedded.servingIdentity(List.of(names));
  }

  /**
   * Answers admission reviews in this JVM: opens an HTTPS endpoint and registers it with its
   * certificate. Ended by its {@code close}, and with the server.
   *
   * @param webhook which requests are reviewed
   * @param handler called for each, by several threads
   */
  public AutoCloseable admissionWebhook(AdmissionWebhook webhook, AdmissionHandler handler) {
    WebhookEndpoint endpoint = WebhookEndpoint.open(this, webhook, handler);
    synchronized (owned) {
      owned.add(endpoint);
    }
    return endpoint;
  }

  /** Stops the server and removes its directory; does nothing for a shared one. */
  @Override
  public void close() {
    if (!SHARED.containsValue(this)) {
      stop();
    }
  }

  private void stop() {
    synchronized (owned) {
      if (closed) {
        return;
      }
    }
    remove(end());
    ServerLoader.keys().fill(ServerLoader.get());
  }

  /** Ends the server; returns its store, which stays. */
  private DataDirectory end() {
    synchronized (owned) {
      closed = true;
      for (AutoCloseable part : owned) {
        try {
          part.close();
        } catch (Exception e) {
          throw new IllegalStateException("an endpoint cannot be closed", e);
        }
      }
    }
    embedded.close();
    try {
      ServerLoader.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + directory, e);
    }
    return data;
  }

  private static void remove(DataDirectory data) {
    try {
      data.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + data.path(), e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
