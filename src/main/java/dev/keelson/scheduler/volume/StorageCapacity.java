package dev.keelson.scheduler.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.value.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler keeps of a CSIStorageCapacity: how much storage a driver has for some nodes.
 *
 * @param size of the largest volume that can be made
 * @param nodes selects the nodes by their labels; null selects none
 */
record StorageCapacity(String storageClass, Quantity size, @Nullable LabelSelector nodes) {

  static final InformerType<StorageCapacity> TYPE =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("csistoragecapacities"),
          StorageCapacity::of,
          List.of());

  /** Informers of CSIDrivers; they keep whether capacities are to be looked at. */
  static final InformerType<Boolean> DRIVER =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("csidrivers"),
          driver -> Node.Bool.TRUE.equals(driver.root().map("spec").get("storageCapacity")),
          List.of());

  static StorageCapacity of(ApiObject capacity) {
    String most = capacity.root().text("maximumVolumeSize");
    return new StorageCapacity(
        capacity.root().text("storageClassName"),
        Quantity.tryParse(most.isEmpty() ? capacity.root().text("capacity") : most)
            .orElse(Quantity.of(0)),
        capacity.root().has("nodeTopology")
            ? Selectors.of(capacity.root().map("nodeTopology")).orElse(null)
            : null);
  }

  /** Whether a volume can be made for a node with these labels. */
  boolean has(String wantedClass, Quantity wanted, Map<String, String> labels) {
    return storageClass.equals(wantedClass)
        && size.compareTo(wanted) >= 0
        && nodes != null
        && nodes.matches(labels);
  }
}
