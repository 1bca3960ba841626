package dev.keelson.registry.subresource;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;

/** Where a workload has the numbers that its Scale shows. */
interface ReplicaFields {

  /**
   * Checks that a workload has a number of replicas.
   *
   * @throws dev.keelson.api.ApiException of reason BadRequest if it must have one
   */
  void checkPresent(ApiObject workload);

  /**
   * Checks that a Scale of the workloads can be applied.
   *
   * @param scale the configuration
   * @throws dev.keelson.api.ApiException of reason BadRequest if not
   */
  void checkApplicable(MapNode scale);

  /** The desired number, or what stands for none. */
  long replicas(ApiObject workload);

  /**
   * The workload with another desired number.
   *
   * @throws dev.keelson.api.ApiException of reason BadRequest if {@code replicas} stands for none
   */
  ApiObject withReplicas(ApiObject workload, long replicas);

  /**
   * The status of a Scale.
   *
   * @param scale the Scale, whose kinds differ in it
   */
  MapNode status(ResourceDefinition scale, ApiObject workload);

  /** Whether an entry of the managed fields of a workload has the desired number. */
  boolean owns(ApiObject workload, MapNode entry);
}
