package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.config.Flags;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class KeelsonServerTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void storeThatGoesAwayDuringTheStart_makesNoPartStartTwice(@TempDir Path directory) {
    CountingStore steady = start(directory.resolve("steady"), 0);
    CountingStore away = start(directory.resolve("away"), 1);

    assertThat(away.refused).hasPositiveValue();
    assertThat(away.leases.get()).isEqualTo(steady.leases.get()).isEqualTo(1);
    assertThat(away.feeds.get()).isEqualTo(steady.feeds.get()).isPositive();
    assertThat(away.closed).hasValue(1);
  }

  /** Starts and stops a server where roles decide, so that its start writes the default roles. */
  private CountingStore start(Path directory, int refusals) {
    List<String> flags =
        List.of("--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC");
    OpenedResources onSqlite = OpenedResources.open(options(flags), InstantSource.system());
    CountingStore store = new CountingStore(onSqlite.store(), refusals);
    // servers that may share their store renew a lease when their endpoints start
    List<String> shared = new ArrayList<>(flags);
    shared.add("--etcd-servers=http://127.0.0.1:1");
    OpenedResources opened =
        new OpenedResources(
            options(shared),
            onSqlite.certificates(),
            store,
            List.of(),
            onSqlite.encryption(),
            onSqlite.tracing(),
            onSqlite.labels(),
            onSqlite.clock());
    KeelsonServer server = ComposedServer.of(opened, vertx).server();

    assertThat(server.ready(6443, Duration.ZERO)).startsWith("Keelson ready at https://127.0.0.1");

    assertThat(server.stop()).isZero();
    return store;
  }

  private static ServerOptions options(List<String> flags) {
    if (new Flags().read(flags, Map.of()) instanceof Flags.Wish.Run run) {
      return run.options();
    }
    throw new AssertionError("these flags start a server");
  }

  /** Is away for some writes of cluster roles, which come after the endpoints of the server. */
  private static final class CountingStore extends ForwardingStore {
    private final AtomicInteger refusals;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger leases = new AtomicInteger();
    private final AtomicInteger feeds = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    CountingStore(RevisionedStore store, int refusals) {
      super(store);
      this.refusals = new AtomicInteger(refusals);
    }

    @Override
    public long grantLease(Duration timeToLive) {
      leases.incrementAndGet();
      return super.grantLease(timeToLive);
    }

    @Override
    public WriteOutcome write(Write write) {
      if (write.key().utf8().contains("/clusterroles/") && refusals.getAndDecrement() > 0) {
        refused.incrementAndGet();
        throw new StorageException.Unavailable("the store is away", null);
      }
      return super.write(write);
    }

    @Override
    public ChangeFeed feed(KeyRange range, long afterRevision) {
      feeds.incrementAndGet();
      return super.feed(range, afterRevision);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
      super.close();
    }
  }
}
