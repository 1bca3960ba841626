package dev.keelson.server.identity;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.authz.rbac.RoleStore;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.AppliedConfiguration;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Writes roles and bindings through the registry, as the server itself. */
public final class RegistryRoles implements RoleStore {

  private static final int ATTEMPTS = 20;

  private final ResourceCatalog catalog;
  private final GenericRegistry registry;

  public RegistryRoles(ResourceCatalog catalog, GenericRegistry registry) {
    this.catalog = catalog;
    this.registry = registry;
  }

  @Override
  public Optional<ApiObject> get(RoleSource.Kind kind, String namespace, String name) {
    return registry.find(collection(kind, namespace), name).map(registry::served);
  }

  @Override
  public void create(RoleSource.Kind kind, String namespace, ApiObject object) {
    try {
      Object unused = registry.create(collection(kind, namespace), object, WriteOptions.PERSIST);
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  @Override
  public void change(
      RoleSource.Kind kind, String namespace, String name, UnaryOperator<ApiObject> edit) {
    for (int attempt = 1; ; attempt++) {
      Optional<ApiObject> current = get(kind, namespace, name);
      if (current.isEmpty()) {
        return;
      }
      try {
        Object unused =
            registry.replace(
                collection(kind, namespace), name, edit.apply(current.get()), WriteOptions.PERSIST);
        return;
      } catch (ApiException e) {
        if (e.reason() != Reason.CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public void applyClusterRole(ApiObject fields, String fieldManager) {
    Collection roles = collection(RoleSource.Kind.CLUSTER_ROLE, "");
    ApplyPatch patch =
        new ApplyPatch(
            registry.fields(),
            roles.definition(),
            new AppliedConfiguration(fields.root(), fieldManager, "", /* force= */ true),
            List.of(),
            FieldValidation.STRICT,
            _ -> {});
    try {
      Object unused =
          registry.patch(roles, fields.meta().name(), patch, WriteOptions.persistAs(fieldManager));
    } catch (ApiException e) {
      // of another uid, or deleted meanwhile
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
    }
  }

  @Override
  public void delete(RoleSource.Kind kind, String namespace, String name) {
    try {
      Object unused =
          registry.delete(
              collection(kind, namespace), name, DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
    }
  }

  private Collection collection(RoleSource.Kind kind, String namespace) {
    return new Collection(
        catalog
            .snapshot()
            .find(new GroupVersionResource(EscalationCheck.GROUP, "v1", kind.resource()))
            .orElseThrow(),
        namespace);
  }
}
