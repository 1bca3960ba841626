package dev.keelson.server;

import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers in one process on one etcd. */
@ExtendWith(EtcdExtension.class)
class ServiceNetworkOnEtcdTest extends ServiceNetworkContract {

  private final EtcdProcess etcd;

  /** Each test has keys of its own. */
  private final String prefix = "/" + UUID.randomUUID();

  ServiceNetworkOnEtcdTest(EtcdProcess etcd) {
    this.etcd = etcd;
  }

  @Override
  OpenedResources open(Path directory) {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.addAll(
        List.of(
            "--data-dir=" + directory,
            "--etcd-servers=" + etcd.endpoint(),
            "--etcd-prefix=" + prefix));
    return OpenedResources.open(CustomTypesContract.options(flags), clock);
  }
}
