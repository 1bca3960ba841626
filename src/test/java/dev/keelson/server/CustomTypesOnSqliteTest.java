package dev.keelson.server;

import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Two servers in one process on one SQLite store. */
class CustomTypesOnSqliteTest extends CustomTypesContract {

  private @Nullable RevisionedStore shared;

  @Override
  OpenedResources open(Path directory) {
    OpenedResources opened =
        OpenedResources.open(
            options(List.of("--data-dir=" + directory, "--secure-port=0")), InstantSource.system());
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

  /** A store that a server does not close. */
  private static final class Shared extends ForwardingStore {
    Shared(RevisionedStore store) {
      super(store);
    }

    @Override
    public void close() {
      // closed after both servers
    }
  }
}
