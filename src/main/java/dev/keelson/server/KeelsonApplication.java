package dev.keelson.server;

import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.server.health.ProcessUptime;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Singleton;

/**
 * What Quarkus runs once it listens: starts the parts, prints the ready line, waits for the end.
 */
@Singleton
public class KeelsonApplication implements QuarkusApplication {

  /** The port that Quarkus listens on, if the flag left the choice to it. */
  private static final String PORT_PROPERTY = "quarkus.http.ssl-port";

  private final KeelsonServer server;
  private final ServingOptions serving;

  KeelsonApplication(KeelsonServer server, ServerOptions options) {
    this.server = server;
    this.serving = options.serving();
  }

  @Override
  public int run(String... arguments) {
    int port = serving.port();
    if (port == 0) {
      port = Integer.getInteger(PORT_PROPERTY, 0);
    }
    System.out.println(server.ready(port, ProcessUptime.now()));
    Quarkus.waitForExit();
    return 0;
  }
}
