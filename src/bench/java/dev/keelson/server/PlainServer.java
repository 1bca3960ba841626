package dev.keelson.server;

import dev.keelson.config.Flags;
import dev.keelson.http.connection.Call;
import dev.keelson.http.connection.RequestReceiver;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The server without TLS, in the process of a bench: what its own work costs, with nothing in the
 * way. The product never listens like that.
 */
public final class PlainServer implements AutoCloseable {

  private final KeelsonServer server;
  private final Vertx vertx;
  private final int port;

  private PlainServer(KeelsonServer server, Vertx vertx, int port) {
    this.server = server;
    this.vertx = vertx;
    this.port = port;
  }

  /** Starts one with the flags of the product; it listens on a free port of the loopback. */
  public static PlainServer start(List<String> flags) throws Exception {
    List<String> all = new ArrayList<>(flags);
    all.add("--secure-port=0");
    if (!(new Flags().read(all, Map.of()) instanceof Flags.Wish.Run run)) {
      throw new IllegalArgumentException("these flags start no server: " + flags);
    }
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    ComposedServer composed =
        ComposedServer.of(OpenedResources.open(run.options(), InstantSource.system()), vertx);
    KeelsonServer server = composed.server();
    RequestReceiver intake = composed.api().intake();
    Router router = Router.router(vertx);
    router.route().handler(context -> intake.handle(context, () -> {}));
    router
        .route()
        .handler(
            context -> {
              Call call = Call.of(context);
              intake.answerUnmatched(call, call::send);
            });
    HttpServer http =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(router)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    String unused = server.ready(http.actualPort(), Duration.ZERO);
    return new PlainServer(server, vertx, http.actualPort());
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  @Override
  public void close() throws Exception {
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    int left = server.stop();
    if (left > 0) {
      throw new IllegalStateException(left + " requests did not end");
    }
  }
}
