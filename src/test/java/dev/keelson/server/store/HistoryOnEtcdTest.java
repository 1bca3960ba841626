package dev.keelson.server.store;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdProcess;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class HistoryOnEtcdTest extends HistoryContract {

  private final EtcdProcess etcd = EtcdProcess.create();

  @Override
  RevisionedStore open() {
    return EtcdStore.open(EtcdOptions.defaults(List.of(etcd.start().endpoint())));
  }

  @AfterEach
  void end() {
    etcd.close();
  }
}
