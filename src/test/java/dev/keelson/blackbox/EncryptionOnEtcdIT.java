package dev.keelson.blackbox;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EtcdExtension.class)
class EncryptionOnEtcdIT extends EncryptionSuite {

  private final URI endpoint;

  EncryptionOnEtcdIT(@TempDir Path home, EtcdProcess etcd) {
    super(home, List.of("--etcd-servers", etcd.endpoint().toString()));
    endpoint = etcd.endpoint();
  }

  @Override
  RevisionedStore store() {
    return EtcdStore.open(EtcdOptions.defaults(List.of(endpoint)));
  }
}
