package dev.keelson.server;

import dev.keelson.config.Flags;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Two servers of one store in this process, without HTTP. With {@code
 * -Dkeelson.bench.etcd=HOST:PORT} the store is that etcd, otherwise one SQLite file.
 */
record TwoServers(Vertx vertx, ComposedServer first, ComposedServer second)
    implements AutoCloseable {

  /** Starts both. */
  static TwoServers start(String name) throws IOException {
    Vertx vertx = Vertx.vertx();
    Path directory = Files.createTempDirectory(name);
    OpenedResources opened = open(directory.resolve("first"));
    @Nullable String etcd = System.getProperty("keelson.bench.etcd");
    OpenedResources other = open(directory.resolve("second"));
    if (etcd == null) {
      other.store().close();
      other = other.withStore(new Shared(opened.store()));
    }
    ComposedServer first = ComposedServer.of(opened, vertx);
    ComposedServer second = ComposedServer.of(other, vertx);
    String ready =
        first.server().ready(6443, Duration.ZERO) + second.server().ready(6444, Duration.ZERO);
    if (ready.isEmpty()) {
      throw new IllegalStateException("the servers are not ready");
    }
    return new TwoServers(vertx, first, second);
  }

  private static OpenedResources open(Path directory) {
    List<String> flags = new ArrayList<>(List.of("--data-dir=" + directory, "--secure-port=0"));
    @Nullable String etcd = System.getProperty("keelson.bench.etcd");
    if (etcd != null) {
      flags.add("--etcd-servers=" + etcd);
    }
    if (new Flags().read(flags, Map.of()) instanceof Flags.Wish.Run run) {
      return OpenedResources.open(run.options(), InstantSource.system());
    }
    throw new IllegalArgumentException("these flags start no server: " + flags);
  }

  /** A store that the second server does not close. */
  private static final class Shared extends ForwardingStore {
    Shared(RevisionedStore store) {
      super(store);
    }

    @Override
    public void close() {
      // the first server closes it
    }
  }

  @Override
  public void close() throws InterruptedException, ExecutionException {
    int left = second.server().stop() + first.server().stop();
    System.out.printf(Locale.ROOT, "stopped, %d requests left%n", left);
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
