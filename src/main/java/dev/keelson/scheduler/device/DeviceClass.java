package dev.keelson.scheduler.device;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What the scheduler keeps of a DeviceClass.
 *
 * @param selectors CEL expressions
 * @param configs the configurations for drivers
 */
record DeviceClass(String name, List<String> selectors, List<MapNode> configs) {

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
    return new DeviceClass(object.meta().name(), Request.selectors(spec), spec.maps("config"));
  }
}
