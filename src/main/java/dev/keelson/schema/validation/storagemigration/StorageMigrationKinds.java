package dev.keelson.schema.validation.storagemigration;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of storagemigration.k8s.io. */
public final class StorageMigrationKinds {
  private StorageMigrationKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.of(
        new GroupKind("storagemigration.k8s.io", "StorageVersionMigration"),
        new StorageVersionMigrationRules());
  }
}
