package dev.keelson.http.relay;

import io.vertx.core.http.HttpClient;
import io.vertx.core.net.NetClient;

/**
 * The clients for one way of verifying a server.
 *
 * @param http for requests
 * @param sockets for upgrades; speaks TLS or not, as the servers do
 */
public record Connections(HttpClient http, NetClient sockets) implements AutoCloseable {

  @Override
  public void close() {
    var unused = http.close();
    unused = sockets.close();
  }
}
