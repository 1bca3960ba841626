package dev.keelson.server;

import dev.keelson.admission.Admission;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.FieldManagement;
import dev.keelson.registry.ObjectRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.WriteSteps;
import dev.keelson.registry.core.NamespaceStrategy;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.util.EnumMap;
import java.util.Map;

/** What writes of the built-in types go through. */
public final class BuiltInSteps {

  private BuiltInSteps() {}

  /** The steps for the resources of {@code catalog} without admission. */
  public static WriteSteps of(ResourceCatalog catalog) {
    return of(catalog, Admission.NONE);
  }

  /** The steps for the resources of {@code catalog}. */
  static WriteSteps of(ResourceCatalog catalog, Admission admission) {
    return new WriteSteps(
        Defaulting.NONE, FieldManagement.NONE, admission, strategies(catalog), ObjectRules.NONE);
  }

  private static Strategies strategies(ResourceCatalog catalog) {
    return new Strategies(Map.of(storedNamespace(catalog).kind(), new NamespaceStrategy()));
  }

  /** How roles and bindings are stored. */
  static Map<RoleSource.Kind, StoredType> storedRoles(ResourceCatalog catalog) {
    Map<RoleSource.Kind, StoredType> types = new EnumMap<>(RoleSource.Kind.class);
    for (RoleSource.Kind kind : RoleSource.Kind.values()) {
      StoredType type =
          catalog
              .snapshot()
              .find(new GroupVersionResource(EscalationCheck.GROUP, "v1", kind.resource()))
              .map(ResourceDefinition::storage)
              .orElseThrow();
      types.put(kind, type);
    }
    return types;
  }

  /** How namespaces are stored. */
  public static StoredType storedNamespace(ResourceCatalog catalog) {
    for (ResourceDefinition definition : catalog.snapshot().all()) {
      StoredType type = definition.storage();
      if (definition.kind().equals("Namespace") && type != null) {
        return type;
      }
    }
    throw new IllegalStateException("the catalog has no namespaces");
  }
}
