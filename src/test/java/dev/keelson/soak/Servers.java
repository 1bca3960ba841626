package dev.keelson.soak;

import dev.keelson.testing.KeelsonProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The servers of a run, as its clients reach them.
 *
 * @param apis each server by HTTP/1.1 and by HTTP/2
 */
record Servers(List<Api> apis) {

  /** How long a client waits for an answer where nothing else is said. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  Servers {
    apis = List.copyOf(apis);
  }

  /** One server without anything in between. */
  static Servers of(KeelsonProcess server) {
    return new Servers(apis(server, server::address, LIMIT));
  }

  /**
   * The two ways to a server.
   *
   * @param address where clients reach it
   * @param limit how long they wait for an answer
   */
  static List<Api> apis(KeelsonProcess server, Supplier<URI> address, Duration limit) {
    List<Api> apis = new ArrayList<>();
    for (HttpClient.Version version :
        List.of(HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_2)) {
      HttpClient client =
          HttpClient.newBuilder()
              .version(version)
              .connectTimeout(Duration.ofSeconds(5))
              .sslContext(server.kubeconfig().asUser())
              .build();
      apis.add(new Api(address, client, limit));
    }
    return apis;
  }
}
