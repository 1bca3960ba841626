package dev.keelson.scheduler.device;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the scheduler keeps of a DeviceClass.
 *
 * @param selectors CEL expressions
 * @param configs the configurations for drivers
 * @param extendedResource the extended resource that its devices are; empty for none but that of
 *     its name
 * @param created the creationTimestamp
 */
record DeviceClass(
    String name,
    List<String> selectors,
    List<MapNode> configs,
    String extendedResource,
    String created) {

  /** Begins the extended resource that is named after a class. */
  private static final String PREFIX = "deviceclass.resource.kubernetes.io/";

  static final InformerType<DeviceClass> TYPE =
      new InformerType<>(
          new GroupVersion("resource.k8s.io", "v1").resource("deviceclasses"),
          DeviceClass::of,
          List.of());

  DeviceClass {
    selectors = List.copyOf(selectors);
    configs = List.copyOf(configs);
  }

  static DeviceClass of(ApiObject object) {
    MapNode spec = object.root().map("spec");
    return new DeviceClass(
        object.meta().name(),
        Request.selectors(spec),
        spec.maps("config"),
        spec.text("extendedResourceName"),
        object.meta().creationTimestamp());
  }

  /**
   * The class of the devices that an extended resource stands for: the newest, and of those the
   * first by its name; empty if there is none.
   */
  static Optional<DeviceClass> of(String extendedResource, Collection<DeviceClass> classes) {
    return classes.stream()
        .filter(each -> each.provides(extendedResource))
        .min(
            Comparator.comparing(DeviceClass::created).reversed().thenComparing(DeviceClass::name));
  }

  private boolean provides(String resource) {
    return extendedResource.equals(resource)
        || (resource.startsWith(PREFIX) && resource.substring(PREFIX.length()).equals(name));
  }
}
