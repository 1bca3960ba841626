package dev.keelson.server.standalone;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.DeviceClasses;
import java.util.List;
import java.util.Optional;

/** Reads what quotas of devices depend on when it is asked for. */
record ListedDevices(ResourceClient client) implements DeviceClasses {

  private static final GroupVersion GROUP = new GroupVersion("resource.k8s.io", "v1");
  private static final GroupVersionResource CLASSES = GROUP.resource("deviceclasses");
  private static final GroupVersionResource CLAIMS = GROUP.resource("resourceclaims");

  @Override
  public List<ApiObject> deviceClasses() {
    return client.list(CLASSES, "");
  }

  @Override
  public Optional<ApiObject> pod(String namespace, String name) {
    return client.get(GroupVersion.CORE_V1.resource("pods"), namespace, name);
  }

  @Override
  public List<ApiObject> claims(String namespace) {
    return client.list(CLAIMS, namespace);
  }
}
