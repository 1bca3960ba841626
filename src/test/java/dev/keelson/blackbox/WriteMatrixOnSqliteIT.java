package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;

@ServedBy(Backend.SQLITE)
class WriteMatrixOnSqliteIT extends WriteMatrixSuite {
  WriteMatrixOnSqliteIT(KeelsonProcess server) {
    super(server);
  }
}
