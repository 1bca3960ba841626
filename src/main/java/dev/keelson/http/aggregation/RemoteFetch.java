package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.relay.Connections;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.Outbound;
import dev.keelson.request.UserInfo;
import dev.keelson.value.HostPort;
import dev.keelson.webhook.ServiceResolver;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * Requests of this server itself to remote API servers, as {@code system:kube-aggregator}: whole
 * documents within a time and a size. Safe for use by several threads; blocks.
 *
 * @param resolver finds the addresses of services
 */
public record RemoteFetch(RemoteClients clients, ServiceResolver resolver) {

  private static final String USER = "system:kube-aggregator";
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(5);

  /** A connection without a sign of life is closed, also when nobody waits for it any more. */
  private static final Duration IDLE = Duration.ofSeconds(60);

  /** Of a body that nobody reads: its connection can be used again. */
  private static final int MOST_SKIPPED_BYTES = 64 * 1024;

  /**
   * A document.
   *
   * @param status the HTTP code
   * @param type its Content-Type, or empty
   * @param tag its ETag, or empty
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Document(int status, String type, String tag, byte[] body) {}

  /**
   * Gets a document with the certificate of the server verified.
   *
   * @param tag the ETag of the known document, or empty
   * @param most the maximum size in bytes
   * @throws IOException if there is no complete response in time
   */
  public Document get(
      ApiService service, String path, String accept, String tag, Duration timeout, int most)
      throws IOException {
    Backend backend = backend(service);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().set("Accept", accept);
    if (!tag.isEmpty()) {
      headers.set("If-None-Match", tag);
    }
    ForwardedHeaders.identity(headers, new UserInfo(USER, "", List.of("system:masters"), Map.of()));
    return ask(
        clients.verifying(backend),
        options(backend, address(backend), path),
        headers,
        timeout,
        (response, document) -> collect(response, most, document));
  }

  /**
   * Gets an object or a list as a user, as {@link AggregationProxy} passes a client's request on.
   *
   * @param uri the path and the query, encoded
   * @param most the maximum size in bytes
   * @throws IOException if there is no complete response in time
   */
  Document read(ApiService service, UserInfo user, String uri, Duration timeout, int most)
      throws IOException {
    Backend backend = backend(service);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().set("Accept", "application/json");
    ForwardedHeaders.identity(headers, user);
    return ask(
        clients.verifying(backend),
        options(backend, address(backend), "").setURI(uri),
        headers,
        timeout,
        (response, document) -> collect(response, most, document));
  }

  /**
   * Asks a server for the resources of its group version, whatever its certificate.
   *
   * @throws IOException if it does not answer with a 2xx code; the message is that of the condition
   *     FailedDiscoveryCheck
   */
  public void check(ApiService service) throws IOException {
    Backend backend = backend(service);
    GroupVersion version = service.groupVersion();
    InetSocketAddress address = address(backend);
    String path = path(version);
    String url =
        "https://"
            + HostPort.join(address.getHostString(), Integer.toString(address.getPort()))
            + path;
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    ForwardedHeaders.identity(headers, new UserInfo(USER, "", List.of("system:masters"), Map.of()));
    int status;
    try {
      status =
          ask(
              clients.trusting(backend),
              options(backend, address, path),
              headers,
              CHECK_TIMEOUT,
              RemoteFetch::status);
    } catch (IOException e) {
      throw new IOException(failing(url, "Get \"" + url + "\": " + e.getMessage()), e);
    }
    if (status < 200 || status >= 300) {
      throw new IOException(failing(url, "bad status from " + url + ": " + status));
    }
  }

  /** The path of the resources of a group version. */
  static String path(GroupVersion version) {
    return version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version;
  }

  /** A hash of a document: in place of an ETag. */
  static String hash(byte[] document) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(document);
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  private static String failing(String url, String cause) {
    return "failing or missing response from " + url + ": " + cause;
  }

  private static Backend backend(ApiService service) {
    Backend backend = service.backend();
    if (backend == null) {
      throw new IllegalStateException(service.name() + " is served here");
    }
    return backend;
  }

  private InetSocketAddress address(Backend backend) throws IOException {
    return resolver.resolve(backend.namespace(), backend.name(), backend.port());
  }

  private static RequestOptions options(Backend backend, InetSocketAddress address, String path) {
    return new RequestOptions()
        .setServer(SocketAddress.inetSocketAddress(address.getPort(), address.getHostString()))
        .setHost(backend.serverName())
        .setPort(backend.port())
        .setSsl(true)
        .setMethod(HttpMethod.GET)
        .setURI(EscapedPath.of(path))
        .setFollowRedirects(false)
        .setIdleTimeout(IDLE.toMillis());
  }

  /**
   * Sends a request.
   *
   * @param reader completes the answer when it has read enough of the response
   */
  private static <T> T ask(
      Connections pool,
      RequestOptions options,
      MultiMap headers,
      Duration timeout,
      BiConsumer<HttpClientResponse, CompletableFuture<T>> reader)
      throws IOException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    AtomicReference<HttpClientRequest> sent = new AtomicReference<>();
    pool.http()
        .request(options)
        .onFailure(answer::completeExceptionally)
        .onSuccess(
            request -> {
              sent.set(request);
              if (answer.isDone()) {
                boolean unused = request.reset();
                return;
              }
              request.headers().addAll(headers);
              request
                  .send()
                  .onFailure(answer::completeExceptionally)
                  .onSuccess(response -> reader.accept(response, answer));
            });
    return await(answer, sent, timeout);
  }

  /** Reads the status; a long body is not waited for. */
  private static void status(HttpClientResponse response, CompletableFuture<Integer> answer) {
    AtomicInteger read = new AtomicInteger();
    response.handler(
        part -> {
          if (read.addAndGet(part.length()) > MOST_SKIPPED_BYTES) {
            boolean unused = response.request().reset();
          }
        });
    boolean unused = answer.complete(response.statusCode());
  }

  private static void collect(
      HttpClientResponse response, int most, CompletableFuture<Document> document) {
    Buffer body = Buffer.buffer();
    response.handler(
        part -> {
          if (body.length() + part.length() > most) {
            boolean unused =
                document.completeExceptionally(
                    new IOException("the response has more than " + most + " bytes"));
            unused = response.request().reset();
          } else {
            body.appendBuffer(part);
          }
        });
    response.exceptionHandler(document::completeExceptionally);
    response.endHandler(
        end -> {
          boolean unused =
              document.complete(
                  new Document(
                      response.statusCode(),
                      header(response, "Content-Type"),
                      header(response, "ETag"),
                      body.getBytes()));
        });
  }

  private static String header(HttpClientResponse response, String name) {
    String value = response.getHeader(name);
    return value == null ? "" : value;
  }

  private static <T> T await(
      CompletableFuture<T> answer, AtomicReference<HttpClientRequest> sent, Duration timeout)
      throws IOException {
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      boolean unused = answer.completeExceptionally(e);
      reset(sent);
      throw new IOException("context deadline exceeded", e);
    } catch (InterruptedException e) {
      boolean unused = answer.completeExceptionally(e);
      reset(sent);
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      Throwable cause = Outbound.causeOf(e);
      throw new IOException(
          cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }
  }

  private static void reset(AtomicReference<HttpClientRequest> sent) {
    HttpClientRequest request = sent.get();
    if (request != null) {
      boolean unused = request.reset();
    }
  }
}
