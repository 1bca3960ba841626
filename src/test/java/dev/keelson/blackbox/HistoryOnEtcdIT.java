package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

@ServedBy(Backend.ETCD)
class HistoryOnEtcdIT extends HistorySuite {
  HistoryOnEtcdIT(KeelsonProcess server, @TempDir Path home) {
    super(server, home);
  }
}
