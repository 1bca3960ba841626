package dev.keelson.blackbox;

import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One etcd for all tests, in which each has a prefix of its own. */
@ExtendWith(EtcdExtension.class)
class OperatorOnEtcdIT extends OperatorSuite {
  OperatorOnEtcdIT(@TempDir Path home, EtcdProcess etcd) throws IOException {
    super(
        home,
        List.of(
            "--etcd-servers",
            etcd.endpoint().toString(),
            "--etcd-prefix",
            "/registry-" + UUID.randomUUID()));
  }
}
