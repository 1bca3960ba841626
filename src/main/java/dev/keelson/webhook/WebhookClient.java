package dev.keelson.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.keelson.cache.Lazy;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * Posts JSON to webhooks. Connections are kept while they are used, to a bounded number of servers;
 * nothing exists before the first call. Redirects are not followed. Safe for use by several
 * threads; blocks.
 */
public final class WebhookClient implements AutoCloseable {

  /** As many as kube-apiserver keeps clients. */
  private static final int MAX_SERVERS = 200;

  private static final Duration IDLE = Duration.ofSeconds(90);

  private final ServiceResolver services;
  private final Consumer<CertificateFlaw> flaws;
  private final CallListener listener;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Bounded by {@link #acquire}: the native executable has Caffeine's caches with a listener for
   * either a size or an expiry, not for both. Built by the first call.
   */
  private final Lazy<Cache<Server, Connections>> servers = new Lazy<>(WebhookClient::newCache);

  /**
   * What distinguishes connections.
   *
   * @param name the name in the certificate of a Service's server; empty for a URL
   * @param authority the host and port as the webhook's configuration names them
   * @param identity what this server shows
   */
  private record Server(String caBundle, String name, String authority, ClientIdentity identity) {}

  /**
   * A client without connections.
   *
   * @param services resolves the Services that webhooks name
   */
  public WebhookClient(ServiceResolver services) {
    this(services, _ -> {});
  }

  /**
   * A client without connections.
   *
   * @param services resolves the Services that webhooks name
   * @param flaws is told of each certificate that is refused for being old-fashioned
   */
  public WebhookClient(ServiceResolver services, Consumer<CertificateFlaw> flaws) {
    this(services, flaws, _ -> {});
  }

  /**
   * A client without connections.
   *
   * @param services resolves the Services that webhooks name
   * @param flaws is told of each certificate that is refused for being old-fashioned
   * @param listener is told of each call
   */
  public WebhookClient(
      ServiceResolver services, Consumer<CertificateFlaw> flaws, CallListener listener) {
    this.services = services;
    this.listener = listener;
    this.flaws = flaws;
  }

  private static Cache<Server, Connections> newCache() {
    return Caffeine.newBuilder()
        .expireAfterAccess(IDLE)
        .scheduler(Scheduler.systemScheduler())
        .executor(Runnable::run)
        .<Server, Connections>removalListener(
            (_, connections, _) -> {
              if (connections != null) {
                connections.retire();
              }
            })
        .build();
  }

  private Connections connections(Server server) {
    ClientIdentity identity = server.identity();
    // as Kubernetes does, authorities of the identity come first
    String trusted =
        identity.authorities().isEmpty()
            ? server.caBundle()
            : identity.authorities() + "\n" + server.caBundle();
    try {
      SSLContext tls =
          server.name().isEmpty()
              ? ServerTrust.of(trusted, identity.certificate())
              : ServerTrust.named(trusted, server.name(), identity.certificate());
      return new Connections(tls, server.name(), threads);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Posts JSON and returns the body of the response, which is not empty.
   *
   * @throws WebhookException if the call fails or the status is not a success
   */
  public byte[] post(ClientConfig config, byte[] json, CallLimits limits) throws WebhookException {
    return post(config, json, limits, Credentials.NONE);
  }

  /**
   * Posts JSON with the credentials for the webhook.
   *
   * @throws WebhookException as {@link #post(ClientConfig, byte[], CallLimits)} does
   */
  public byte[] post(ClientConfig config, byte[] json, CallLimits limits, Credentials credentials)
      throws WebhookException {
    HttpResponse<byte[]> response = answer(config, json, limits, credentials);
    int status = response.statusCode();
    if (status < 200 || status > 206) {
      throw UnexpectedStatus.of(response);
    }
    if (response.body().length == 0) {
      throw new WebhookException(
          "0-length response with status code: "
              + status
              + " and content type: "
              + response.headers().firstValue("Content-Type").orElse(""),
          status,
          null);
    }
    return response.body();
  }

  /**
   * Posts JSON to a webhook whose response says no more than its status.
   *
   * @throws WebhookException if the call fails or the status is not a success
   */
  public void deliver(ClientConfig config, byte[] json, CallLimits limits) throws WebhookException {
    HttpResponse<byte[]> response = answer(config, json, limits, Credentials.NONE);
    if (response.statusCode() < 200 || response.statusCode() > 299) {
      throw UnexpectedStatus.of(response);
    }
  }

  private HttpResponse<byte[]> answer(
      ClientConfig config, byte[] json, CallLimits limits, Credentials credentials)
      throws WebhookException {
    ClientIdentity identity;
    Destination destination;
    Connections connections;
    try {
      destination = Destination.of(config, "timeout=" + shown(limits.timeout()));
      identity = credentials.of(destination.target());
      connections =
          acquire(
              new Server(
                  config.caBundle(), destination.serverName(), destination.authority(), identity));
    } catch (IOException e) {
      throw new WebhookException(String.valueOf(e.getMessage()), 0, e);
    }
    long begin = System.nanoTime();
    String code = CallListener.Call.ERROR;
    long received = 0;
    try (Spans.Open span = Spans.open("HTTP POST", Span.Kind.CLIENT)) {
      HttpResponse<byte[]> response =
          exchange(connections, config, destination, json, limits, identity);
      code = Integer.toString(response.statusCode());
      received = response.body().length;
      if (span != null) {
        span.with("http.request.method", "POST")
            .with("server.address", destination.authority())
            .with("http.response.status_code", response.statusCode());
      }
      return response;
    } finally {
      connections.release();
      listener.called(
          new CallListener.Call(
              destination.authority(), code, System.nanoTime() - begin, json.length, received));
    }
  }

  /** Whole seconds, rounded up, as kube-apiserver tells webhooks their time. */
  private static GoDuration shown(Duration timeout) {
    Duration seconds = timeout.truncatedTo(ChronoUnit.SECONDS);
    Duration whole = seconds.equals(timeout) ? timeout : seconds.plusSeconds(1);
    return new GoDuration(whole.toNanos());
  }

  private Connections acquire(Server server) throws IOException {
    Cache<Server, Connections> opened = servers.get();
    try {
      Connections found = opened.get(server, this::connections);
      while (!found.acquire()) {
        // retired between the two calls
        found = opened.get(server, this::connections);
      }
      if (opened.estimatedSize() > MAX_SERVERS) {
        opened
            .policy()
            .expireAfterAccess()
            .ifPresent(order -> opened.invalidateAll(order.oldest(1).keySet()));
      }
      return found;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private HttpResponse<byte[]> exchange(
      Connections connections,
      ClientConfig config,
      Destination destination,
      byte[] json,
      CallLimits limits,
      ClientIdentity identity)
      throws WebhookException {
    String address = destination.authority();
    try {
      ServiceReference service = config.service();
      URI uri = service == null ? destination.shown() : destination.resolve(service, services);
      address = uri.getRawAuthority();
      return exchange(connections, request(uri, destination, json, identity), limits);
    } catch (IOException e) {
      CertificateFlaw flaw = CertificateFlaw.of(e);
      if (flaw != null) {
        flaws.accept(flaw);
      }
      String why =
          e instanceof UnresolvableServiceException ? e.getMessage() : FailureText.of(e, address);
      throw new WebhookException(
          "Post " + GoQuote.quote(destination.shown().toString()) + ": " + why, 0, e);
    }
  }

  private static HttpRequest request(
      URI uri, Destination destination, byte[] json, ClientIdentity identity) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, */*")
            .header("User-Agent", "keelson")
            .POST(BodyPublishers.ofByteArray(json));
    identity.headers().forEach(request::header);
    Span traced = Spans.current();
    if (traced != null) {
      traced.propagate(request::setHeader);
    }
    if (!destination.serverName().isEmpty() && mayNameHost()) {
      request.header("Host", destination.authority());
    }
    return request.build();
  }

  /** Whether the JDK lets a request name another host than it connects to. */
  private static boolean mayNameHost() {
    return Arrays.asList(
            System.getProperty("jdk.httpclient.allowRestrictedHeaders", "").split(",", -1))
        .contains("host");
  }

  /**
   * Sends a request until it is answered. A server that is busy may ask to be called again after
   * some seconds, as client-go does.
   */
  private static HttpResponse<byte[]> exchange(
      Connections connections, HttpRequest request, CallLimits limits) throws IOException {
    return RetryAfter.answer(
        limits.timeout(),
        left -> attempt(connections, request, limits, System.nanoTime() + left.toNanos()));
  }

  private static HttpResponse<byte[]> attempt(
      Connections connections, HttpRequest request, CallLimits limits, long deadline)
      throws IOException {
    if (!enter(connections, left(deadline))) {
      throw new HttpTimeoutException("too many calls of " + request.uri());
    }
    try {
      try {
        return send(connections, request, limits, deadline);
      } catch (IOException e) {
        if (!limits.repeatable() || !isLostConnection(e)) {
          throw e;
        }
      }
      return send(connections, request, limits, deadline);
    } finally {
      connections.leave();
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
  }

  private static HttpResponse<byte[]> send(
      Connections connections, HttpRequest request, CallLimits limits, long deadline)
      throws IOException {
    return HttpExchange.send(
        connections.client(), request, left(deadline), limits.maxResponseBytes());
  }

  private static boolean enter(Connections connections, Duration timeout) throws IOException {
    try {
      return connections.enter(timeout);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(e);
    return interrupted;
  }

  /** Whether a kept connection may have been closed by the server while the request was sent. */
  private static boolean isLostConnection(IOException failure) {
    return !(failure instanceof ConnectException
            || failure instanceof HttpTimeoutException
            || failure instanceof InterruptedIOException
            || failure instanceof SSLHandshakeException)
        && FailureText.isLostConnection(failure);
  }

  /** The number of servers with connections. */
  long servers() {
    Cache<Server, Connections> opened = servers.known();
    if (opened == null) {
      return 0;
    }
    opened.cleanUp();
    return opened.estimatedSize();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    Cache<Server, Connections> opened = servers.known();
    if (opened != null) {
      opened.invalidateAll();
    }
    threads.shutdownNow();
  }
}
