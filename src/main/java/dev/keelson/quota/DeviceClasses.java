package dev.keelson.quota;

import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;

/** What the usage of ResourceClaims depends on besides the claim. Every call may block. */
public interface DeviceClasses {

  /** No device class has an extended resource. */
  DeviceClasses NONE =
      new DeviceClasses() {
        @Override
        public List<ApiObject> deviceClasses() {
          return List.of();
        }

        @Override
        public Optional<ApiObject> pod(String namespace, String name) {
          return Optional.empty();
        }

        @Override
        public List<ApiObject> claims(String namespace) {
          return List.of();
        }
      };

  /** Returns all device classes, possibly slightly stale. */
  List<ApiObject> deviceClasses();

  /** Returns a pod. */
  Optional<ApiObject> pod(String namespace, String name);

  /** Returns the ResourceClaims of a namespace. */
  List<ApiObject> claims(String namespace);

  /** The extended resource of a device class; empty if it has none. */
  default Optional<String> extendedResource(String deviceClass) {
    return deviceClasses().stream()
        .filter(each -> each.meta().name().equals(deviceClass))
        .map(each -> each.root().map("spec").text("extendedResourceName"))
        .filter(name -> !name.isEmpty())
        .findFirst();
  }

  /** Whether a device class has the extended resource, explicitly or by its name. */
  default boolean isDeviceResource(String extendedResource) {
    return deviceClasses().stream()
        .anyMatch(
            each ->
                each.root().map("spec").text("extendedResourceName").equals(extendedResource)
                    || extendedResource.equals(
                        PodEvaluator.DEVICE_CLASS_PREFIX + each.meta().name()));
  }
}
