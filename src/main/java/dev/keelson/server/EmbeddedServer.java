package dev.keelson.server;

import dev.keelson.config.Flags;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.http.connection.Call;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.request.UserInfo;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.embedded.DisturbedStore;
import dev.keelson.server.embedded.Faults;
import dev.keelson.server.embedded.Manifests;
import dev.keelson.server.embedded.MovableClock;
import dev.keelson.server.embedded.PlainTree;
import dev.keelson.server.embedded.SystemProperties;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.pki.SubjectNames;
import dev.keelson.server.pki.TokenKey;
import dev.keelson.server.tls.Certificates;
import dev.keelson.server.tls.JdkTls;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server in the JVM of a test, without Quarkus: the listener, the filter chain, the verbs, the
 * store and the controllers of the product. Requests are matched by the handler that the product
 * uses for those that JAX-RS would change. Several can run in one JVM.
 *
 * <p>The library {@code keelson-junit} loads this class in a class loader of its own and calls it
 * by reflection, so that its methods speak only of types of the JDK. Nothing in the product uses
 * it.
 */
public final class EmbeddedServer implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int EVENT_LOOPS = 2;

  private final OpenedResources opened;
  private final Vertx vertx;
  private final ComposedServer composed;
  private final MovableClock clock;
  private final DisturbedStore store;
  private final Faults faults;
  private final Manifests manifests;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private int port;

  /** Guarded by this. */
  private @Nullable ControlPlane controlPlane;

  private EmbeddedServer(
      OpenedResources opened,
      Vertx vertx,
      ComposedServer composed,
      MovableClock clock,
      DisturbedStore store,
      Faults faults) {
    this.opened = opened;
    this.vertx = vertx;
    this.composed = composed;
    this.clock = clock;
    this.store = store;
    this.faults = faults;
    UserInfo administrator = new UserInfo("keelson-junit", "", List.of("system:masters"), Map.of());
    this.manifests =
        new Manifests(
            composed.api().loopback().as(administrator, "keelson/junit"), composed.catalog());
  }

  /**
   * Starts a server on a free port of the loopback interface; blocks until it is ready.
   *
   * @param flags as on the command line
   * @throws IllegalArgumentException if a flag is wrong, or asks for a text in place of a server
   * @throws IOException if the server cannot listen
   */
  public static EmbeddedServer start(List<String> flags) throws IOException, InterruptedException {
    ServerOptions options = options(flags);
    synchronized (EmbeddedServer.class) {
      try (SystemProperties properties = SystemProperties.guard()) {
        // RequestReader decodes as kube-apiserver does; read once, when Vert.x is loaded
        properties.set("vertx.disableURIValidation", "true");
        // the JDK's resolver of names, as a client has it, in place of Netty's
        properties.set("vertx.disableDnsResolver", "true");
        // part of names of channels, which no log has; else Netty looks at all network interfaces
        properties.set("io.netty.machineId", "00:00:00:00:00:01");
        // heap buffers, without sun.misc.Unsafe, of which the JVM would warn in the test's output
        properties.set("io.netty.noUnsafe", "true");
        // the server logs by java.util.logging; SLF4J is there for a library that hardly uses it
        properties.set("slf4j.internal.verbosity", "ERROR");
        return start(options);
      }
    }
  }

  private static ServerOptions options(List<String> flags) {
    List<String> all = new ArrayList<>(flags);
    all.add("--secure-port=0");
    all.add("--bind-address=127.0.0.1");
    Flags.Wish wish;
    try {
      wish = new Flags().read(all, Map.of());
    } catch (FlagException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    if (!(wish instanceof Flags.Wish.Run run)) {
      throw new IllegalArgumentException("these flags start no server: " + flags);
    }
    return run.options();
  }

  /**
   * Makes the keys and certificates that a server makes at its first start, for a server that is
   * started with them later.
   *
   * @param flags those of the server, with the directory ({@code --cert-dir}), which must exist
   */
  public static void makeKeys(List<String> flags) {
    ServerOptions options = options(flags);
    Instant now = Instant.now();
    Certificates made = Certificates.open(options.serving(), now);
    // the second time they are read and checked, which the directory keeps in mind
    Certificates checked = Certificates.open(options.serving(), now);
    if (!checked.serving().certificate().equals(made.serving().certificate())) {
      throw new IllegalStateException("keys that were just made do not fit");
    }
    KeyPair unused = TokenKey.open(options.serving().certDir());
  }

  private static EmbeddedServer start(ServerOptions options)
      throws IOException, InterruptedException {
    MovableClock clock = new MovableClock(InstantSource.system());
    // most of a first start is the loading of classes: three parts that share few of them
    FutureTask<Vertx> vertxOpening = new FutureTask<>(EmbeddedServer::openVertx);
    Thread.ofPlatform().name("keelson-start-vertx").start(vertxOpening);
    OpenedResources files;
    try {
      files =
          OpenedResources.open(
              options, clock, task -> Thread.ofPlatform().name("keelson-start-pki").start(task));
    } catch (RuntimeException e) {
      Void unused = await(await(vertxOpening).close().toCompletionStage().toCompletableFuture());
      throw e;
    }
    DisturbedStore store = new DisturbedStore(files.store());
    OpenedResources opened = files.withStore(store);
    Vertx vertx = await(vertxOpening);
    Faults faults = new Faults();
    ComposedServer composed = ComposedServer.of(opened, vertx, faults::around);
    EmbeddedServer server = new EmbeddedServer(opened, vertx, composed, clock, store, faults);
    server.listen();
    return server;
  }

  private static Vertx openVertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(EVENT_LOOPS)
            // no file is served: else each start makes a directory in that for temporary files
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false))
            // the first requests load their classes, on machines that are busy with builds
            .setMaxEventLoopExecuteTimeUnit(TimeUnit.SECONDS)
            .setMaxEventLoopExecuteTime(LONGEST.toSeconds()));
  }

  private void listen() throws IOException, InterruptedException {
    RequestReceiver intake = composed.api().intake();
    Router router = Router.router(vertx);
    composed.listener().routes(router, composed.api());
    router
        .route()
        .handler(
            context -> {
              Call call = Call.of(context);
              intake.answerUnmatched(call, call::send);
            });
    HttpServerOptions options = new HttpServerOptions();
    composed.listener().customizeHttpsServer(options);
    // no library of ours is loaded into the JVM of tests
    options.setSslEngineOptions(new JdkTls(opened.options().web().namedGroups()));
    HttpServer http =
        await(
            vertx
                .createHttpServer(options.setPort(0))
                .connectionHandler(this::connected)
                .requestHandler(
                    request -> {
                      // until a reader resumes it, as Quarkus does before its routes
                      request.pause();
                      router.handle(request);
                    })
                .listen()
                .toCompletionStage()
                .toCompletableFuture());
    port = http.actualPort();
    composed.server().start(port);
    restartControlPlane(Duration.ZERO);
  }

  private void connected(HttpConnection connection) {
    connections.add(connection);
    connection.closeHandler(closed -> connections.remove(connection));
  }

  private static <T> T await(java.util.concurrent.Future<T> future)
      throws IOException, InterruptedException {
    try {
      return future.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the server cannot listen: " + e.getMessage(), e);
    }
  }

  private synchronized void restartControlPlane(Duration silentBefore) {
    ControlPlane running = controlPlane;
    if (running != null) {
      running.close();
    }
    ControlPlane next = composed.controlPlanes().apply(silentBefore);
    next.start();
    controlPlane = next;
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** The certificate of the server's authority, in PEM. */
  public String authority() {
    return opened.certificates().trustedPem();
  }

  /** The kubeconfig of the administrator. */
  public Path adminKubeconfig() {
    return opened.options().dataDir().resolve("admin.kubeconfig");
  }

  /** The text of a kubeconfig with a new client certificate of a user. */
  public String kubeconfig(String user, List<String> groups) {
    return opened
        .certificates()
        .kubeconfig(InetAddress.getLoopbackAddress(), port, user, groups, clock.instant());
  }

  /**
   * A new key and serving certificate, signed by the server's authority, for a webhook of the test.
   *
   * @param names the DNS names and addresses that it stands for
   * @return the key and the chain, in PEM
   */
  public List<String> servingIdentity(List<String> names) {
    Identity identity =
        opened
            .certificates()
            .pki()
            .server("keelson-junit", SubjectNames.of(names), clock.instant());
    return List.of(PemPrivateKeys.text(identity.key()), PemCertificates.text(identity.chain()));
  }

  /** Applies manifests; see {@link Manifests#apply}. */
  public int apply(String text, String namespace) throws IOException, InterruptedException {
    return manifests.apply(text, namespace);
  }

  /** Deletes an object; see {@link Manifests#delete}. */
  public boolean delete(String path) throws IOException, InterruptedException {
    return manifests.delete(path);
  }

  /** Reads JSON; see {@link PlainTree#read}. */
  public @Nullable Object readJson(String json) {
    return PlainTree.read(json);
  }

  /** Writes JSON; see {@link PlainTree#write}. */
  public String writeJson(@Nullable Object value) {
    return PlainTree.write(value);
  }

  /** The time of the server, in milliseconds since 1970. */
  public long millis() {
    return clock.millis();
  }

  /**
   * Moves the time of the server forward. The controllers start again, as on a machine whose clock
   * was set, since their timers were set by the time before. Nodes are taken to have been silent
   * for that time, but for a moment in which they can renew their Leases.
   *
   * @return how far the server is ahead of the system now
   */
  public Duration advanceClock(Duration time) {
    Duration ahead = clock.advance(time);
    restartControlPlane(time);
    return ahead;
  }

  /** Adds a fault; see {@link Faults#add}. */
  public long addFault(Map<String, ?> fault) {
    return faults.add(fault);
  }

  /** Removes a fault; see {@link Faults#remove}. */
  public long removeFault(long id) {
    return faults.remove(id);
  }

  /** How many requests a fault has affected. */
  public long faultHits(long id) {
    return faults.hits(id);
  }

  /** Delays every read and write of the store from now on. */
  public void delayStore(Duration reads, Duration writes) {
    store.delay(reads, writes);
  }

  /** Whether the store cannot be reached from now on. */
  public void storeAway(boolean away) {
    store.away(away);
  }

  /** Ends all watches as a server does that wants its clients to begin new ones. */
  public void endWatches() {
    composed.api().intake().endLongRunning(Duration.ZERO);
  }

  /** Closes all connections in the middle of whatever they do. */
  public void cutConnections() {
    connections.forEach(HttpConnection::close);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    synchronized (this) {
      ControlPlane running = controlPlane;
      if (running != null) {
        running.close();
        controlPlane = null;
      }
    }
    composed.api().intake().endLongRunning(Duration.ZERO);
    cutConnections();
    composed.listener().stop();
    Void unused = await(vertx.close().toCompletionStage().toCompletableFuture());
  }
}
