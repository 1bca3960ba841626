package dev.keelson.server.registry;

import dev.keelson.api.GroupVersion;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.service.AddressAllocator;
import dev.keelson.registry.service.AllocationMetrics;
import dev.keelson.registry.service.KnownAddresses;
import dev.keelson.registry.service.ServiceCidrs;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.registry.service.ServiceStrategy;
import dev.keelson.registry.service.StoredAddresses;
import dev.keelson.registry.service.StoredEndpoints;
import dev.keelson.registry.service.StoredNodePorts;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.object.ObjectStore;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The allocators of Service addresses and node ports.
 *
 * @param endpoints those that go with their Service
 * @param ranges the ranges that flags name
 */
public record ServiceAllocators(
    AddressAllocator addresses,
    StoredNodePorts ports,
    StoredEndpoints endpoints,
    ServiceRanges ranges) {

  private static final String RANGE_ALLOCATION = "RangeAllocation";

  /**
   * Creates the allocators.
   *
   * @param schemas finds the schema of a message
   * @param known the cached IPAddresses
   */
  public static ServiceAllocators of(
      ResourceCatalog catalog,
      Function<String, StructSchema> schemas,
      ObjectStore store,
      ObjectCodec codec,
      InstantSource clock,
      ServiceRanges ranges,
      ServiceCidrs cidrs,
      KnownAddresses known,
      AllocationMetrics metrics,
      RandomGenerator random) {
    StoredAddresses addresses = new StoredAddresses(store, codec, storedAddresses(catalog), clock);
    StoredType allocation =
        new StoredType(
            "ranges",
            GroupVersion.CORE_V1.kind(RANGE_ALLOCATION),
            schemas.apply("io.k8s.api.core.v1." + RANGE_ALLOCATION));
    return new ServiceAllocators(
        new AddressAllocator(cidrs, addresses, known, metrics, random, System::nanoTime),
        new StoredNodePorts(
            store,
            codec,
            allocation,
            BuiltInSteps.stored(catalog, "", "services"),
            ranges,
            metrics,
            random),
        new StoredEndpoints(store, codec, BuiltInSteps.stored(catalog, "", "endpoints"), clock),
        ranges);
  }

  /** Returns the stored type of IPAddresses. */
  public static StoredType storedAddresses(ResourceCatalog catalog) {
    return BuiltInSteps.stored(catalog, "networking.k8s.io", "ipaddresses");
  }

  /** The strategy of Services with these allocators. */
  public ServiceStrategy strategy() {
    return new ServiceStrategy(addresses, ports, endpoints, ranges);
  }
}
