package dev.keelson.server.standalone;

import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.manager.ControllerManager;
import dev.keelson.http.health.HealthEndpoints;
import dev.keelson.http.health.Probe;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.health.BuildInfo;
import dev.keelson.server.health.NamedCheck;
import dev.keelson.server.health.Ping;
import dev.keelson.server.identity.DelegatedAccess;
import dev.keelson.server.identity.KubeconfigServer;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.HangUp;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.pki.Pki;
import dev.keelson.server.pki.SubjectNames;
import dev.keelson.server.tls.ServingKey;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A component that runs alone, as a client of an API server: in place of kube-controller-manager or
 * kube-scheduler. It ends when it is told to, or when it has lost the leadership.
 */
public final class StandaloneComponent {

  private static final Logger LOG = Logger.getLogger(StandaloneComponent.class);

  private static final int LEADERSHIP_LOST = 1;

  private final ComponentOptions options;
  private final InstantSource clock = InstantSource.system();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  /** A component that has not started. */
  public StandaloneComponent(ComponentOptions options) {
    this.options = options;
  }

  /**
   * Runs the component.
   *
   * @return the exit code: 0 after SIGTERM or SIGINT, 1 after the loss of the leadership
   * @throws dev.keelson.server.lifecycle.StartupException if it cannot start
   */
  public int run() {
    ComponentLog.configure(options.verbosity());
    // the resolver of the JDK, as in the server
    System.setProperty("vertx.disableDnsResolver", "true");
    Vertx vertx = vertx();
    try (FileReloader files = new FileReloader()) {
      return run(vertx, files);
    } finally {
      var unused = vertx.close();
    }
  }

  private int run(Vertx vertx, FileReloader files) {
    FileReloader.Current<KubeconfigServer> kubeconfig =
        KubeconfigServer.follow(files, "--kubeconfig", options.kubeconfig());
    AtomicReference<@Nullable ControllerManager> acting = new AtomicReference<>();
    ComponentMetrics metrics =
        new ComponentMetrics(
            BuildInfo.version(), options.leaseName(), () -> is(acting, ControllerManager::leading));
    try (ServerConnection connection = new ServerConnection(vertx, kubeconfig);
        DelegatedAccess access = DelegatedAccess.of(options.serving(), files, clock);
        SecurePort port =
            new SecurePort(
                vertx,
                options.serving(),
                key(files),
                access,
                new ComponentPages(health(acting), metrics, Configz.of(options)));
        ControllerManager manager = manager(connection, kubeconfig, metrics)) {
      acting.set(manager);
      files.start((flag, outcome) -> {});
      HangUp.handleEnd(() -> end(0));
      if (options.serving().port() > 0) {
        port.open();
      }
      manager.start();
      System.out.println(started(connection));
      return end.join();
    }
  }

  private static boolean is(
      AtomicReference<@Nullable ControllerManager> acting, Predicate<ControllerManager> state) {
    ControllerManager manager = acting.get();
    return manager != null && state.test(manager);
  }

  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(2)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private void end(int code) {
    boolean first = end.complete(code);
    LOG.infof("event=component-ends code=%d first=%s", code, first);
  }

  private String started(ServerConnection connection) {
    return "Keelson %s started for %s".formatted(options.component().command(), connection.url());
  }

  /** The certificate of the port; one that signs itself is made for each start. */
  private ServingKey key(FileReloader files) {
    return ServingKey.of(
        options.serving().given(),
        List.of(),
        Pki.passing(SubjectNames.of(Set.of("localhost", HostName.ofThisHost())), clock.instant()),
        files);
  }

  private HealthEndpoints health(AtomicReference<@Nullable ControllerManager> acting) {
    HealthEndpoints health = new HealthEndpoints();
    health.add(new Ping(), EnumSet.allOf(Probe.class));
    if (options.controllers().elect()) {
      health.add(
          new NamedCheck(
              "leaderElection",
              () ->
                  is(acting, ControllerManager::competes)
                      ? Optional.empty()
                      : Optional.of("the election for " + options.leaseName() + " has ended")),
          EnumSet.of(Probe.HEALTHZ, Probe.READYZ));
    }
    return health;
  }

  private ControllerManager manager(
      ServerConnection connection,
      FileReloader.Current<KubeconfigServer> kubeconfig,
      ComponentMetrics metrics) {
    return new ControllerManager(
        new ComponentTransports(options, connection, metrics::answered, System::nanoTime).all(),
        terms(),
        controllers(kubeconfig, metrics),
        () -> end(LEADERSHIP_LOST),
        clock,
        System::nanoTime);
  }

  private @Nullable LeaseTerms terms() {
    ControllerOptions controllers = options.controllers();
    return controllers.elect()
        ? new LeaseTerms(
            new ObjectName(options.leaseNamespace(), options.leaseName()),
            HostName.ofThisHost() + "_" + UUID.randomUUID(),
            controllers.duration(),
            controllers.renewDeadline(),
            controllers.retryPeriod())
        : null;
  }

  private List<ControllerFactory> controllers(
      FileReloader.Current<KubeconfigServer> kubeconfig, ComponentMetrics metrics) {
    return switch (options.component()) {
      case CONTROLLERS ->
          ControlPlane.measured(
              Stream.concat(
                      ControlPlane.controllers(
                          options.controllers(), /* authority= */ null, metrics.evictions())
                          .stream(),
                      new ClientControllers(options.controllers(), authorities(kubeconfig))
                          .enabled().stream())
                  .toList(),
              metrics.queues());
      case SCHEDULER -> ControlPlane.scheduler(metrics.scheduling());
    };
  }

  /** The certificates for pods; empty if the server is trusted by those of the system. */
  private String authorities(FileReloader.Current<KubeconfigServer> kubeconfig) {
    Path file = options.rootAuthorities();
    if (file == null) {
      return kubeconfig.get().tls().authorities();
    }
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new StartupException("--root-ca-file: " + e.getMessage(), e);
    }
  }
}
