package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;

@ServedBy(Backend.SQLITE)
class CustomInformersOnSqliteIT extends CustomInformersSuite {
  CustomInformersOnSqliteIT(KeelsonProcess server) {
    super(server);
  }
}
