package dev.keelson.server.standalone;

import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.manager.ControllerManager;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.identity.KubeconfigServer;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.HangUp;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
  private final FileReloader files = new FileReloader();
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
    FileReloader.Current<KubeconfigServer> kubeconfig =
        KubeconfigServer.follow(files, "--kubeconfig", options.kubeconfig());
    Vertx vertx = vertx();
    try (ServerConnection connection = new ServerConnection(vertx, kubeconfig);
        ControllerManager manager = manager(connection);
        FileReloader followed = files) {
      followed.start((flag, outcome) -> {});
      HangUp.handleEnd(() -> end(0));
      manager.start();
      System.out.println(started(connection));
      return end.join();
    } finally {
      var unused = vertx.close();
    }
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

  private ControllerManager manager(ServerConnection connection) {
    return new ControllerManager(
        new ComponentTransports(options, connection, System::nanoTime).all(),
        terms(),
        controllers(),
        () -> end(LEADERSHIP_LOST),
        InstantSource.system(),
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

  private List<ControllerFactory> controllers() {
    return switch (options.component()) {
      case CONTROLLERS -> ControlPlane.controllers(options.controllers(), /* authority= */ null);
      case SCHEDULER -> ControlPlane.scheduler();
    };
  }
}
