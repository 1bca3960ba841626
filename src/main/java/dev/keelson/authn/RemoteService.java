package dev.keelson.authn;

import dev.keelson.webhook.HttpExchange;
import dev.keelson.webhook.RetryAfter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client of another server, with limits on the time and the length of responses. Connects
 * on first use. Safe for use by any thread; blocks.
 */
public final class RemoteService {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** The default timeout of a request. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** Maximum length of a response in bytes; a longer one is an error. */
  private static final long LONGEST = 1024 * 1024;

  private final Supplier<SSLContext> trust;
  private final Map<String, String> headers;
  private final Duration timeout;
  private final boolean plain;
  private final ReentrantLock opening = new ReentrantLock();

  /** Replaced under the lock, read by anyone. */
  private volatile @Nullable Opened opened;

  private record Opened(SSLContext tls, HttpClient client) {}

  /**
   * @param trust the trusted servers and the client certificate; read before every request, and a
   *     new context closes the connections of the old one
   * @param headers the headers of every request
   * @param timeout the timeout of a request
   * @param plain whether servers may be asked without TLS; else only those of HTTPS
   */
  public RemoteService(
      Supplier<SSLContext> trust, Map<String, String> headers, Duration timeout, boolean plain) {
    this.plain = plain;
    this.trust = trust;
    this.headers = Map.copyOf(headers);
    this.timeout = timeout;
  }

  /** A client of HTTPS servers with a timeout of ten seconds. */
  public RemoteService(Supplier<SSLContext> trust, Map<String, String> headers) {
    this(trust, headers, ANSWER, /* plain= */ false);
  }

  /**
   * Gets a document.
   *
   * @throws IOException if the request fails or the status is not 200
   */
  public String get(URI uri, Map<String, String> more) throws IOException {
    return send(uri, HttpRequest.newBuilder(uri).GET(), more);
  }

  /**
   * Posts JSON and returns the response body.
   *
   * @throws IOException if the request fails or the status is neither 200 nor 201; a {@link
   *     HttpTimeoutException} on timeout
   */
  public String post(URI uri, String json) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    return send(uri, request, Map.of());
  }

  /**
   * Posts a form and returns the response body, empty if there is none.
   *
   * @param form encoded as {@code application/x-www-form-urlencoded}
   * @throws IOException if the request fails; an {@link UnexpectedResponseException} if the status
   *     is neither 200 nor 201
   */
  public String postForm(URI uri, String form, Map<String, String> more) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form));
    return send(uri, request, more);
  }

  /**
   * Sends JSON to a service whose answer says nothing, again if it is busy and says for how long.
   *
   * @param json in UTF-8
   * @throws IOException if there is no answer, or one that is not of the 2xx codes
   */
  public void deliver(URI uri, byte[] json) throws IOException {
    HttpResponse<byte[]> answer =
        RetryAfter.answer(
            timeout,
            left ->
                exchange(
                    uri,
                    HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(json)),
                    Map.of(),
                    left));
    if (answer.statusCode() / 100 != 2) {
      throw unexpected(uri, answer);
    }
  }

  private String send(URI uri, HttpRequest.Builder request, Map<String, String> more)
      throws IOException {
    HttpResponse<byte[]> answer = exchange(uri, request, more, timeout);
    if (answer.statusCode() != 200 && answer.statusCode() != 201) {
      throw unexpected(uri, answer);
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static UnexpectedResponseException unexpected(URI uri, HttpResponse<byte[]> answer) {
    return new UnexpectedResponseException(
        uri, answer.statusCode(), answer.headers().firstValue("Retry-After").isPresent());
  }

  private HttpResponse<byte[]> exchange(
      URI uri, HttpRequest.Builder request, Map<String, String> more, Duration limit)
      throws IOException {
    if (!"https".equals(uri.getScheme())) {
      if (!plain) {
        throw new IOException(uri + " is not an https:// address");
      }
      // without TLS a client of HTTP/2 would ask for an upgrade, which not every server ignores
      request.version(HttpClient.Version.HTTP_1_1);
    }
    request.header("Accept", "application/json");
    headers.forEach(request::header);
    more.forEach(request::header);
    return HttpExchange.send(client(), request.build(), limit, LONGEST);
  }

  private HttpClient client() {
    SSLContext tls = trust.get();
    Opened known = opened;
    if (known != null && known.tls() == tls) {
      return known.client();
    }
    opening.lock();
    try {
      Opened open = opened;
      if (open == null || open.tls() != tls) {
        open =
            new Opened(
                tls,
                HttpClient.newBuilder()
                    .sslContext(tls)
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build());
        opened = open;
      }
      return open.client();
    } finally {
      opening.unlock();
    }
  }
}
