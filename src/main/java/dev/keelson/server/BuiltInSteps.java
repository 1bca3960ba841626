package dev.keelson.server;

import dev.keelson.admission.Admission;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.SchemaRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.TrackedFields;
import dev.keelson.registry.WriteSteps;
import dev.keelson.registry.core.NamespaceStrategy;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.time.InstantSource;
import java.util.Map;

/** What writes of the built-in types go through. */
public final class BuiltInSteps {

  private BuiltInSteps() {}

  /**
   * The steps for the resources of {@code catalog}.
   *
   * @param forms converts between versions
   * @param clock tells when a field changed hands
   */
  public static WriteSteps of(ResourceCatalog catalog, ObjectForms forms, InstantSource clock) {
    return new WriteSteps(
        Defaulting.NONE,
        new TrackedFields(catalog, forms, clock),
        Admission.NONE,
        strategies(catalog),
        new SchemaRules());
  }

  private static Strategies strategies(ResourceCatalog catalog) {
    return new Strategies(Map.of(storedNamespace(catalog).kind(), new NamespaceStrategy()));
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
