package dev.keelson.server;

import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.server.audit.Auditing;
import dev.keelson.server.health.ProcessUptime;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Singleton;

/**
 * The Quarkus application, run when the listener is open: starts the parts, prints the ready line
 * and waits for the shutdown.
 */
@Singleton
public class KeelsonApplication implements QuarkusApplication {

  /** The property with the actual port, for {@code --secure-port=0}. */
  private static final String PORT_PROPERTY = "quarkus.http.ssl-port";

  private final KeelsonServer server;
  private final Auditing auditing;
  private final ServingOptions serving;

  KeelsonApplication(KeelsonServer server, Auditing auditing, ServerOptions options) {
    this.server = server;
    this.auditing = auditing;
    this.serving = options.serving();
  }

  @Override
  public int run(String... arguments) {
    auditing.reopenOnHangUp();
    int port = serving.port();
    if (port == 0) {
      port = Integer.getInteger(PORT_PROPERTY, 0);
    }
    System.out.println(server.ready(port, ProcessUptime.now()));
    server.act();
    Quarkus.waitForExit();
    return 0;
  }
}
