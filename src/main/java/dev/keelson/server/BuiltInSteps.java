package dev.keelson.server;

import dev.keelson.admission.Admission;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.SchemaRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.TrackedFields;
import dev.keelson.registry.WriteSteps;
import dev.keelson.registry.apps.DaemonSetStrategy;
import dev.keelson.registry.apps.DeploymentStrategy;
import dev.keelson.registry.batch.JobStrategy;
import dev.keelson.registry.certificates.SigningRequestStrategy;
import dev.keelson.registry.core.NamespaceStrategy;
import dev.keelson.registry.core.NodeStrategy;
import dev.keelson.registry.core.PodStrategy;
import dev.keelson.registry.core.VolumeStrategy;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.defaulting.SchemaDefaults;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/** What writes of the built-in types go through. */
public final class BuiltInSteps {

  private BuiltInSteps() {}

  /**
   * The steps for the resources of {@code catalog} without admission.
   *
   * @param forms converts between versions
   * @param clock tells when a field changed hands
   */
  public static WriteSteps of(ResourceCatalog catalog, ObjectForms forms, InstantSource clock) {
    return of(catalog, forms, clock, Admission.NONE);
  }

  /** The steps for the resources of {@code catalog}. */
  static WriteSteps of(
      ResourceCatalog catalog, ObjectForms forms, InstantSource clock, Admission admission) {
    return new WriteSteps(
        defaulting(),
        new TrackedFields(catalog, forms, clock),
        admission,
        strategies(catalog),
        new SchemaRules());
  }

  private static Defaulting defaulting() {
    SchemaDefaults defaults =
        new SchemaDefaults(
            literal -> ObjectReader.untypedJson(literal.getBytes(StandardCharsets.UTF_8)));
    return (definition, object) ->
        new ApiObject(defaults.complete(object.root(), definition.schema()));
  }

  private static Strategies strategies(ResourceCatalog catalog) {
    GroupVersion apps = new GroupVersion("apps", "v1");
    GroupVersion certificates = new GroupVersion("certificates.k8s.io", "v1");
    return new Strategies(
        Map.of(
            storedNamespace(catalog).kind(), new NamespaceStrategy(),
            GroupVersion.CORE_V1.kind("Pod"), new PodStrategy(),
            GroupVersion.CORE_V1.kind("Node"), new NodeStrategy(),
            GroupVersion.CORE_V1.kind("PersistentVolume"), VolumeStrategy.VOLUME,
            GroupVersion.CORE_V1.kind("PersistentVolumeClaim"), VolumeStrategy.CLAIM,
            apps.kind("Deployment"), new DeploymentStrategy(),
            apps.kind("DaemonSet"), new DaemonSetStrategy(),
            new GroupVersion("batch", "v1").kind("Job"), new JobStrategy(),
            certificates.kind("CertificateSigningRequest"), new SigningRequestStrategy()));
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
