package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;

@ServedBy(Backend.ETCD)
class CustomInformersOnEtcdIT extends CustomInformersSuite {
  CustomInformersOnEtcdIT(KeelsonProcess server) {
    super(server);
  }
}
