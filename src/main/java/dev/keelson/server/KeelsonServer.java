package dev.keelson.server;

import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ShutdownOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Lifecycle;
import dev.keelson.server.tls.Certificates;
import dev.keelson.storage.StorageException;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * Starts and stops the parts of the server; {@link HttpServerSetup} and the application call it.
 */
@Singleton
final class KeelsonServer {

  private static final Logger LOG = Logger.getLogger(KeelsonServer.class);
  private static final Duration STORE_RETRY = Duration.ofSeconds(1);

  private final ServerOptions options;
  private final Certificates certificates;
  private final ServerAddress address;
  private final GracefulShutdown drain;
  private final Lifecycle lifecycle;
  private final ControlPlane controlPlane;

  KeelsonServer(
      ServerOptions options,
      Certificates certificates,
      ServerAddress address,
      GracefulShutdown drain,
      Lifecycle lifecycle,
      ControlPlane controlPlane) {
    this.options = options;
    this.certificates = certificates;
    this.address = address;
    this.drain = drain;
    this.lifecycle = lifecycle;
    this.controlPlane = controlPlane;
  }

  /**
   * Starts the parts; called when the server listens on {@code port}.
   *
   * @param age the uptime of the process
   * @return the ready line
   */
  String ready(int port, Duration age) {
    start(port);
    return String.format(
        Locale.ROOT,
        "Keelson ready at %s in %.2f s (%s) - try: kubectl --kubeconfig %s get namespaces",
        address.url(),
        age.toMillis() / 1000.0,
        store(),
        kubeconfig());
  }

  /** The same without the line. */
  void start(int port) {
    address.listening(port);
    startOnStore();
    certificates.writeKubeconfig(kubeconfig(), address.host(), port);
  }

  private Path kubeconfig() {
    return options.dataDir().resolve("admin.kubeconfig");
  }

  /** Starts the controllers, which are clients of the server; called when it is ready. */
  void act() {
    controlPlane.start();
  }

  /** Retries while the store is unavailable; probes report that the server is not ready. */
  private void startOnStore() {
    while (!drain.leaving()) {
      try {
        lifecycle.start();
        return;
      } catch (StorageException.Unavailable e) {
        LOG.warnf("event=store-unavailable store=%s error=%s", store(), e.getMessage());
        LockSupport.parkNanos(STORE_RETRY.toNanos());
      }
    }
  }

  /**
   * Waits for requests in flight, then stops the parts. Returns the number of unfinished requests.
   *
   * @param closed runs when the shutdown delay is over and new requests are rejected
   */
  int stop(Runnable closed) {
    ShutdownOptions shutdown = options.serving().shutdown();
    int left = drain.run(shutdown.delay(), closed, shutdown.longestGrace());
    lifecycle.stop();
    return left;
  }

  /** The same for a server without a listener. */
  int stop() {
    return stop(() -> {});
  }

  private String store() {
    return switch (options.storage()) {
      case StorageOptions.Sqlite sqlite -> "sqlite " + sqlite.file();
      case StorageOptions.Etcd etcd ->
          "etcd "
              + String.join(",", etcd.cluster().servers().stream().map(Object::toString).toList());
    };
  }
}
