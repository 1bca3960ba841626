package dev.keelson.storage.etcd;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.RevisionedStoreContract;
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EtcdExtension.class)
class EtcdStoreTest extends RevisionedStoreContract {

  private final EtcdProcess etcd;

  EtcdStoreTest(EtcdProcess etcd) {
    this.etcd = etcd;
  }

  @Override
  protected RevisionedStore open() {
    return EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
  }

  @Override
  protected RevisionedStore restart() {
    etcd.stop();
    etcd.start();
    return open();
  }
}
