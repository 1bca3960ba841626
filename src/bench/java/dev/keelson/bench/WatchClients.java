package dev.keelson.bench;

import dev.keelson.testing.Kubeconfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PfxOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Many watches over few HTTP/2 connections, which resume as client-go's reflectors do: from the
 * last revision, after 0.8 s doubled up to 30 s with each failure, plus up to as much at random.
 */
final class WatchClients implements AutoCloseable {

  private static final char[] PASSWORD = "bench".toCharArray();
  private static final int STREAMS = 100;
  private static final long FIRST_PAUSE = 800;
  private static final long LONGEST_PAUSE = 30_000;

  /** Where the type of an event begins in its line; a bookmark's is the only one with a B. */
  private static final int TYPE = "{\"type\":\"".length();

  private static final byte[] VERSION =
      "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient client;
  private final List<Integer> ports;
  private final @Nullable String token;
  private final List<Watch> watches = new ArrayList<>();
  private final LongAdder events = new LongAdder();
  private final LongAdder attempts = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder expired = new LongAdder();

  /** Clients of one server with the certificate of {@code kubeconfig}; at most so many watches. */
  WatchClients(Kubeconfig kubeconfig, int port, int watches) {
    this(options().setKeyCertOptions(identity(kubeconfig)), null, List.of(port), watches);
  }

  /**
   * Clients of several servers with a bearer token that all of them accept.
   *
   * @param ports of the servers; each has as many of the watches at first, and one that breaks goes
   *     on at the next
   * @param watches how many there can be
   */
  WatchClients(String token, List<Integer> ports, int watches) {
    this(options(), token, ports, watches);
  }

  private WatchClients(
      HttpClientOptions options, @Nullable String token, List<Integer> ports, int watches) {
    this.ports = List.copyOf(ports);
    this.token = token;
    int connections = (watches + STREAMS - 1) / STREAMS;
    client =
        vertx.createHttpClient(
            options, new PoolOptions().setHttp2MaxSize(connections).setMaxWaitQueueSize(-1));
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setSsl(true)
        .setUseAlpn(true)
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setHttp2MultiplexingLimit(STREAMS)
        .setConnectTimeout(10_000)
        .setTrustAll(true)
        .setVerifyHost(false);
  }

  private static PfxOptions identity(Kubeconfig kubeconfig) {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "user", kubeconfig.key(), PASSWORD, new X509Certificate[] {kubeconfig.certificate()});
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      keys.store(bytes, PASSWORD);
      return new PfxOptions()
          .setValue(Buffer.buffer(bytes.toByteArray()))
          .setPassword(new String(PASSWORD));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds a watch that begins now. */
  void add(String path, long revision) {
    Watch watch = new Watch(path, revision, watches.size() % ports.size());
    watches.add(watch);
    vertx.runOnContext(ignored -> watch.open());
  }

  /** The number of events that came. */
  long events() {
    return events.sum();
  }

  long attempts() {
    return attempts.sum();
  }

  /** The number of answers other than 200. */
  long refused() {
    return refused.sum();
  }

  /** The number of answers and events with 410, after which a client has to list again. */
  long expired() {
    return expired.sum();
  }

  /** The number of watches that are open. */
  long open() {
    return watches.stream().filter(watch -> watch.open).count();
  }

  /** The number of watches at a server. */
  long at(int server) {
    return watches.stream().filter(watch -> watch.server == server).count();
  }

  /** The number of watches that have seen a revision. */
  long reached(long revision) {
    return watches.stream().filter(watch -> watch.revision >= revision).count();
  }

  /** When each watch saw its last event, by {@link System#nanoTime}, in order. */
  long[] times() {
    return watches.stream().mapToLong(watch -> watch.seenAt).sorted().toArray();
  }

  @Override
  public void close() throws Exception {
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Confined to the event loop, except what is read for the figures. */
  private final class Watch {
    private final String path;
    private volatile int server;
    private volatile long revision;
    private volatile long seenAt;
    private volatile boolean open;
    private Buffer rest = Buffer.buffer();
    private long pause = FIRST_PAUSE;

    Watch(String path, long revision, int server) {
      this.path = path;
      this.revision = revision;
      this.server = server;
    }

    void open() {
      attempts.increment();
      RequestOptions request =
          new RequestOptions()
              .setMethod(HttpMethod.GET)
              .setHost("127.0.0.1")
              .setPort(ports.get(server))
              .setURI(
                  path
                      + (path.contains("?") ? "&" : "?")
                      + "watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion="
                      + revision);
      if (token != null) {
        request.putHeader("Authorization", "Bearer " + token);
      }
      client
          .request(request)
          .compose(sent -> sent.send())
          .onSuccess(this::read)
          .onFailure(error -> again());
    }

    private void read(HttpClientResponse response) {
      if (response.statusCode() != 200) {
        (response.statusCode() == 410 ? expired : refused).increment();
        again();
        return;
      }
      open = true;
      pause = FIRST_PAUSE;
      rest = Buffer.buffer();
      boolean[] over = {false};
      Runnable ended =
          () -> {
            if (!over[0]) {
              over[0] = true;
              open = false;
              again();
            }
          };
      response.handler(this::take);
      response.endHandler(ignored -> ended.run());
      response.exceptionHandler(error -> ended.run());
    }

    private void take(Buffer part) {
      byte[] bytes = rest.appendBuffer(part).getBytes();
      int begin = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          line(bytes, begin, i);
          begin = i + 1;
        }
      }
      rest = Buffer.buffer().appendBytes(bytes, begin, bytes.length - begin);
    }

    private void line(byte[] bytes, int from, int to) {
      for (int i = from; i + VERSION.length < to; i++) {
        if (Arrays.equals(bytes, i, i + VERSION.length, VERSION, 0, VERSION.length)) {
          long value = 0;
          for (int at = i + VERSION.length; bytes[at] != '"'; at++) {
            value = value * 10 + bytes[at] - '0';
          }
          revision = value;
          if (bytes[from + TYPE] != 'B') {
            seenAt = System.nanoTime();
            events.increment();
          }
          return;
        }
      }
      // an ERROR event has a Status without a revision
      expired.increment();
    }

    private void again() {
      server = (server + 1) % ports.size();
      long delay = pause + ThreadLocalRandom.current().nextLong(pause);
      pause = Math.min(LONGEST_PAUSE, pause * 2);
      long unused = vertx.setTimer(delay, ignored -> open());
    }
  }
}
