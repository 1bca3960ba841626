package dev.keelson.registry.subresource;

import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceCatalog;
import java.time.InstantSource;

/**
 * The subresources that do more than expose a part of the object.
 *
 * @param scales the number of replicas of workloads
 */
public record Subresources(
    ScaleResource scales, PodBinding binding, PodEviction eviction, DeploymentRollback rollback) {

  /** The subresources of the built-in types. */
  public static Subresources of(
      GenericRegistry registry, ObjectCodec codec, ResourceCatalog catalog, InstantSource clock) {
    return new Subresources(
        new ScaleResource(registry, codec),
        new PodBinding(registry, clock),
        new PodEviction(registry, catalog, clock),
        new DeploymentRollback(registry));
  }
}
