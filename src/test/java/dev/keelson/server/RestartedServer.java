package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiTransport;
import dev.keelson.http.loopback.Loopback;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server in this process that can be cut off as if it was killed: answers that are under way are
 * lost, watches break, and the next one begins on its data.
 */
final class RestartedServer implements AutoCloseable {

  private final Path directory;
  private final Vertx vertx = Vertx.vertx();
  private volatile @Nullable ComposedServer running;
  private final Set<Cut> streams = ConcurrentHashMap.newKeySet();

  RestartedServer(Path directory) {
    this.directory = directory;
    start();
  }

  private void start() {
    ComposedServer next =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
                InstantSource.system()),
            vertx);
    assertThat(next.server().ready(6443, Duration.ZERO)).contains("ready");
    running = next;
  }

  void restart() {
    stop();
    start();
  }

  private void stop() {
    ComposedServer last = running;
    running = null;
    streams.forEach(Cut::cut);
    if (last != null) {
      assertThat(last.server().stop()).isZero();
    }
  }

  /** A transport to the server that runs at the time of a request. */
  ApiTransport transport(Function<Loopback, ApiTransport> user) {
    return new ApiTransport() {
      @Override
      public Answer send(Request request) throws IOException, InterruptedException {
        ComposedServer server = server();
        return answered(server, of(server).send(request));
      }

      @Override
      public Answer send(Request request, TimeLimit limit)
          throws IOException, InterruptedException {
        ComposedServer server = server();
        return answered(server, of(server).send(request, limit));
      }

      @Override
      public EventStream watch(Request request) throws IOException, InterruptedException {
        ComposedServer server = server();
        Cut stream = new Cut(of(server).watch(request));
        streams.add(stream);
        if (server != running) {
          stream.cut();
        }
        return stream;
      }

      private ApiTransport of(ComposedServer server) {
        return user.apply(server.api().loopback());
      }

      private Answer answered(ComposedServer server, Answer answer) throws IOException {
        if (server != running) {
          throw new IOException("connection reset");
        }
        return answer;
      }
    };
  }

  private ComposedServer server() throws IOException {
    ComposedServer server = running;
    if (server == null) {
      throw new IOException("connection refused");
    }
    return server;
  }

  private final class Cut implements ApiTransport.EventStream {
    private final ApiTransport.EventStream events;
    private volatile boolean broken;

    Cut(ApiTransport.EventStream events) {
      this.events = events;
    }

    void cut() {
      broken = true;
      events.close();
    }

    @Override
    public byte @Nullable [] next() throws IOException, InterruptedException {
      byte[] event = events.next();
      if (broken) {
        throw new IOException("connection reset");
      }
      return event;
    }

    @Override
    public void close() {
      streams.remove(this);
      events.close();
    }
  }

  @Override
  public void close() throws Exception {
    stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
