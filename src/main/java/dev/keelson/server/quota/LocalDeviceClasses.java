package dev.keelson.server.quota;

import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.DeviceClasses;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks up what the usage of ResourceClaims depends on, in the local registry. */
public final class LocalDeviceClasses implements DeviceClasses {

  private static final GroupVersion RESOURCE = new GroupVersion("resource.k8s.io", "v1");
  private static final GroupVersionResource CLASSES = RESOURCE.resource("deviceclasses");
  private static final GroupVersionResource CLAIMS = RESOURCE.resource("resourceclaims");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  private final ClusterObjects objects;

  public LocalDeviceClasses(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public List<ApiObject> deviceClasses() {
    return objects.list(CLASSES, "").stream().map(Supplier::get).toList();
  }

  @Override
  public Optional<ApiObject> pod(String namespace, String name) {
    return objects.find(PODS, namespace, name);
  }

  @Override
  public List<ApiObject> claims(String namespace) {
    return objects.list(CLAIMS, namespace).stream().map(Supplier::get).toList();
  }
}
