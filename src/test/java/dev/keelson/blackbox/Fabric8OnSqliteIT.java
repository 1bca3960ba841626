package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;

@ServedBy(Backend.SQLITE)
class Fabric8OnSqliteIT extends Fabric8Suite {
  Fabric8OnSqliteIT(KeelsonProcess server) throws IOException {
    super(server);
  }
}
