package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;

@ServedBy(Backend.SQLITE)
class TypedClientOnSqliteIT extends TypedClientSuite {
  TypedClientOnSqliteIT(KeelsonProcess server) throws IOException {
    super(server);
  }
}
