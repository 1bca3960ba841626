package dev.keelson.server.store;

import dev.keelson.http.health.HealthCheck;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.util.Optional;

/**
 * The health check {@code etcd}: whether the store responds. It has kube-apiserver's name for every
 * store, since probes refer to it.
 */
public record StoreHealth(RevisionedStore store) implements HealthCheck {

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public Optional<String> failure() {
    try {
      return store.revision() > 0 ? Optional.empty() : Optional.of("the store has no revision");
    } catch (StorageException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
