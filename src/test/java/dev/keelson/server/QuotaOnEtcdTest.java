package dev.keelson.server;

import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers in one process on one etcd. */
@ExtendWith(EtcdExtension.class)
class QuotaOnEtcdTest extends QuotaContract {

  private final EtcdProcess etcd;

  /** Each test has keys of its own. */
  private final String prefix = "/" + UUID.randomUUID();

  QuotaOnEtcdTest(EtcdProcess etcd) {
    this.etcd = etcd;
  }

  @Override
  OpenedResources open(Path directory) {
    return OpenedResources.open(
        CustomTypesContract.options(
            List.of(
                "--data-dir=" + directory,
                "--secure-port=0",
                "--etcd-servers=" + etcd.endpoint(),
                "--etcd-prefix=" + prefix)),
        InstantSource.system());
  }
}
