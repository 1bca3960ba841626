package dev.keelson.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.stream.Stream;

/** A watch over HTTP whose events are taken one at a time. The test's timeout bounds the wait. */
public final class WatchLines implements AutoCloseable {

  private final HttpClient http;
  private final HttpResponse<Stream<String>> answer;
  private final Iterator<String> lines;

  private WatchLines(HttpClient http, HttpResponse<Stream<String>> answer) {
    this.http = http;
    this.answer = answer;
    lines = answer.body().iterator();
  }

  /** Starts a watch with the bearer token {@code token}; returns when the server has responded. */
  public static WatchLines open(KeelsonProcess server, String token, String path) {
    HttpClient http = HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build();
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.address() + path))
              .header("Authorization", "Bearer " + token)
              .build();
      return new WatchLines(http, http.send(request, HttpResponse.BodyHandlers.ofLines()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The status code of the response. */
  public int statusCode() {
    return answer.statusCode();
  }

  /** Returns the next line; blocks. */
  public String next() {
    return lines.next();
  }

  @Override
  public void close() {
    answer.body().close();
    http.shutdownNow();
  }
}
