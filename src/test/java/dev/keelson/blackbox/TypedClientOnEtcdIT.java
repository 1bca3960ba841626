package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;

@ServedBy(Backend.ETCD)
class TypedClientOnEtcdIT extends TypedClientSuite {
  TypedClientOnEtcdIT(KeelsonProcess server) throws IOException {
    super(server);
  }
}
