package dev.keelson.server;

import dev.keelson.authn.AuthenticatorChain;
import dev.keelson.config.ServerOptions;
import dev.keelson.config.ServingOptions;
import dev.keelson.config.StorageOptions;
import dev.keelson.http.health.HealthEndpoints;
import dev.keelson.http.health.Probe;
import dev.keelson.http.health.Version;
import dev.keelson.server.pki.Kubeconfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The server, put together by hand: every part is made in {@link #open}, in the order in which it
 * is needed, and taken down in {@link #stop}. Knows nothing of Quarkus; {@link HttpEdge} connects
 * the two.
 */
final class KeelsonServer {

  private final ServerOptions options;
  private final Certificates certificates;
  private final AuthenticatorChain authenticators;
  private final HealthEndpoints health;
  private final Drain drain;
  private final Version version;

  private KeelsonServer(
      ServerOptions options,
      Certificates certificates,
      AuthenticatorChain authenticators,
      HealthEndpoints health,
      Drain drain,
      Version version) {
    this.options = options;
    this.certificates = certificates;
    this.authenticators = authenticators;
    this.health = health;
    this.drain = drain;
    this.version = version;
  }

  /** Makes every part; blocks until they can be used, but nothing listens yet. */
  static KeelsonServer open(ServerOptions options, InstantSource clock) {
    makeDataDirectory(options.dataDir());
    Certificates certificates = Certificates.open(options.serving(), clock.instant());
    AuthenticatorChain authenticators =
        Authenticators.chain(options.authentication(), certificates.pki().authority(), clock);
    Drain drain = new Drain();
    HealthEndpoints health = new HealthEndpoints();
    Set<Probe> all = EnumSet.allOf(Probe.class);
    health.add(new Ping(), all);
    health.add(drain, EnumSet.of(Probe.READYZ));
    return new KeelsonServer(options, certificates, authenticators, health, drain, Build.version());
  }

  ServingOptions serving() {
    return options.serving();
  }

  Certificates certificates() {
    return certificates;
  }

  AuthenticatorChain authenticators() {
    return authenticators;
  }

  HealthEndpoints health() {
    return health;
  }

  Drain drain() {
    return drain;
  }

  Version version() {
    return version;
  }

  /**
   * Called when the server answers on {@code port}.
   *
   * @return the line that says so
   */
  String ready(int port, Duration age) {
    InetAddress address = reachableAddress();
    Path kubeconfig = options.dataDir().resolve("admin.kubeconfig");
    certificates.writeKubeconfig(kubeconfig, address, port);
    return String.format(
        Locale.ROOT,
        "Keelson ready at %s in %.2f s (%s) - try: kubectl --kubeconfig %s get namespaces",
        Kubeconfig.url(address, port),
        age.toMillis() / 1000.0,
        store(),
        kubeconfig);
  }

  /** Lets running requests finish; returns how many did not. */
  int drainRequests() {
    return drain.run(serving().shutdownDelay(), serving().shutdownGrace());
  }

  private String store() {
    return switch (options.storage()) {
      case StorageOptions.Sqlite sqlite -> "sqlite " + sqlite.file();
      case StorageOptions.Etcd etcd ->
          "etcd " + String.join(",", etcd.servers().stream().map(Object::toString).toList());
    };
  }

  private InetAddress reachableAddress() {
    InetAddress advertised = serving().advertiseAddress();
    if (advertised != null) {
      return advertised;
    }
    InetAddress bound = serving().bindAddress();
    if (!bound.isAnyLocalAddress()) {
      return bound;
    }
    return InetAddress.ofLiteral(bound.getAddress().length == 4 ? "127.0.0.1" : "::1");
  }

  private static void makeDataDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new StartException("--data-dir: cannot make " + directory + ": " + e, e);
    }
  }
}
