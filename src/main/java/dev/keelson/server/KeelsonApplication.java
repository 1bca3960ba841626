package dev.keelson.server;

import dev.keelson.server.health.ProcessAge;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;

/** What Quarkus runs once the listener answers: says so, and waits for the end. */
public class KeelsonApplication implements QuarkusApplication {

  /** Where Quarkus tells the port it got, if it was free to choose. */
  private static final String PORT_PROPERTY = "quarkus.http.ssl-port";

  @Override
  public int run(String... arguments) {
    KeelsonServer server = Launch.await();
    int port = server.serving().port();
    if (port == 0) {
      port = Integer.getInteger(PORT_PROPERTY, 0);
    }
    System.out.println(server.ready(port, ProcessAge.now()));
    Quarkus.waitForExit();
    return 0;
  }
}
