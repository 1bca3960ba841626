package dev.keelson.registry.namespace;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.registry.NamespaceLifecycle;
import java.util.function.Consumer;

/**
 * Creates the namespace of a new object if it does not exist (the admission plugin
 * NamespaceAutoProvision of Kubernetes). A dry run is accepted and creates none.
 */
public final class NamespaceAutoProvision implements NamespaceLifecycle {

  private final NamespaceLifecycle gate;
  private final Consumer<String> create;

  /**
   * A gate before {@code gate}.
   *
   * @param create creates a namespace; may throw AlreadyExists
   */
  public NamespaceAutoProvision(NamespaceLifecycle gate, Consumer<String> create) {
    this.gate = gate;
    this.create = create;
  }

  @Override
  public void checkCreate(Collection collection, String name) {
    checkCreate(collection, name, /* dryRun= */ false);
  }

  @Override
  public void checkCreate(Collection collection, String name, boolean dryRun) {
    try {
      gate.checkCreate(collection, name);
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      if (!dryRun) {
        provide(collection.namespace());
        gate.checkCreate(collection, name);
      }
    }
  }

  private void provide(String namespace) {
    try {
      create.accept(namespace);
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  @Override
  public void changed(String namespace) {
    gate.changed(namespace);
  }
}
