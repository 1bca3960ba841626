package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.ApiObject;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers in one process on one SQLite store. */
class QuotaOnSqliteTest extends QuotaContract {

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private @Nullable RevisionedStore shared;

  @Override
  OpenedResources open(Path directory) {
    OpenedResources opened =
        OpenedResources.open(
            CustomTypesContract.options(List.of("--data-dir=" + directory, "--secure-port=0")),
            InstantSource.system());
    if (shared == null) {
      shared = opened.store();
    } else {
      opened.store().close();
    }
    return opened.withStore(new Shared(shared));
  }

  @AfterEach
  void close() {
    if (shared != null) {
      shared.close();
    }
  }

  /** Creates "slow", whose write is held, charged as it is, while {@code meanwhile} runs. */
  private Future<ApiObject> createAround(Runnable meanwhile) throws InterruptedException {
    FutureTask<ApiObject> slow =
        new FutureTask<>(() -> first().client().create(MAPS, "default", map("slow")));
    Thread unused = Thread.ofVirtual().start(slow);
    held.await();
    try {
      meanwhile.run();
    } finally {
      released.countDown();
    }
    return slow;
  }

  @Test
  void createThatIsStoredAfterACount_isChargedAgain() throws Exception {
    quota("q", "{'hard':{'configmaps':'3'}}");
    assertThat(first().client().create(MAPS, "default", map("a")).meta().name()).isEqualTo("a");

    Future<ApiObject> slow =
        createAround(
            () -> {
              second().client().delete(MAPS, "default", "a", DELETE);
              // the count cannot see the object that is charged and not stored
              awaitUsed("q", "configmaps", "1");
              for (String name : List.of("b", "c")) {
                assertThat(second().client().create(MAPS, "default", map(name)).meta().name())
                    .isEqualTo(name);
              }
            });

    assertThatThrownBy(slow::get)
        .hasMessageContaining("configmaps \"slow\" is forbidden: exceeded quota: q");
    assertThat(first().client().count(MAPS, "default")).isEqualTo(3);
  }

  @Test
  void createThatIsStoredAfterACount_isCountedOnce() throws Exception {
    quota("q", "{'hard':{'configmaps':'3'}}");
    assertThat(first().client().create(MAPS, "default", map("a")).meta().name()).isEqualTo("a");

    Future<ApiObject> slow =
        createAround(
            () -> {
              second().client().delete(MAPS, "default", "a", DELETE);
              awaitUsed("q", "configmaps", "1");
            });

    assertThat(slow.get().meta().name()).isEqualTo("slow");
    assertThat(status("q").map("used").text("configmaps")).isEqualTo("2");
  }

  /** A store that a server does not close, and that holds the first write of one object. */
  private final class Shared extends ForwardingStore {
    Shared(RevisionedStore store) {
      super(store);
    }

    @Override
    public WriteOutcome write(Write write) {
      if (write.key().utf8().endsWith("/configmaps/default/slow") && held.getCount() > 0) {
        held.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException(e);
        }
      }
      return super.write(write);
    }

    @Override
    public void close() {
      // closed after both servers
    }
  }
}
