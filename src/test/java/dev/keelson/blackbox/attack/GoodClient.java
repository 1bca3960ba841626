package dev.keelson.blackbox.attack;

import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A client that behaves: it creates an object, reads it, sees it in its watch and deletes it, again
 * and again, on connections that it has opened before. {@link #run} is called on one thread at a
 * time.
 */
public final class GoodClient implements AutoCloseable {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Pattern NAME = Pattern.compile("\"name\":\"(good-\\d+)\"");
  private static final String ADDED = "{\"type\":\"ADDED\"";

  /** The objects that it keeps; it deletes older ones, or they would fill the server's memory. */
  private static final int KEPT = 500;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI maps;
  private final HttpClient http;
  private final InputStream events;
  private final Set<String> created = new HashSet<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private int next;

  /** Opens the watch. */
  public GoodClient(KeelsonProcess server) throws IOException, InterruptedException {
    this.maps = server.address().resolve(MAPS);
    this.http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
    HttpRequest watch = HttpRequest.newBuilder(URI.create(maps + "?watch=1")).build();
    this.events = http.send(watch, HttpResponse.BodyHandlers.ofInputStream()).body();
    Thread unused = Thread.startVirtualThread(this::readEvents);
  }

  private void readEvents() {
    try (Scanner lines = new Scanner(events, StandardCharsets.UTF_8)) {
      while (lines.hasNextLine()) {
        String event = lines.nextLine();
        if (event.startsWith(ADDED)) {
          NAME.matcher(event).results().forEach(found -> seen.add(found.group(1)));
        }
      }
    }
  }

  private int send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /**
   * Creates, reads and deletes until {@code time} has passed, at least 20 times.
   *
   * @return the time of each request in milliseconds
   * @throws AssertionError if one is not answered as it should be
   */
  public List<Long> run(Duration time) throws IOException, InterruptedException {
    List<Long> times = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end || times.size() < 40) {
      String name = "good-" + next++;
      String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"v\"}}";
      times.add(
          timed(
              201,
              HttpRequest.newBuilder(maps)
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))));
      created.add(name);
      times.add(timed(200, HttpRequest.newBuilder(URI.create(maps + "/" + name))));
      if (next > KEPT) {
        URI old = URI.create(maps + "/good-" + (next - 1 - KEPT));
        times.add(timed(200, HttpRequest.newBuilder(old).DELETE()));
      }
    }
    return times;
  }

  private long timed(int expected, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    int status = send(request);
    if (status != expected) {
      throw new AssertionError("answered with " + status + " instead of " + expected);
    }
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** The objects that it has created and not seen in its watch. */
  public Set<String> missing() {
    Set<String> missing = new HashSet<>(created);
    missing.removeAll(seen);
    return missing;
  }

  @Override
  public void close() throws IOException {
    events.close();
    http.shutdownNow();
  }
}
