package dev.keelson.server;

import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Two servers in one process on one SQLite store. */
class ServiceNetworkOnSqliteTest extends ServiceNetworkContract {

  private @Nullable RevisionedStore shared;

  @Override
  OpenedResources open(Path directory) {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("--data-dir=" + directory);
    OpenedResources opened = OpenedResources.open(CustomTypesContract.options(flags), clock);
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

  /** The store of both servers, which neither closes. */
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
