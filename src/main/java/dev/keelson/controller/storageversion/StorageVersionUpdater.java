package dev.keelson.controller.storageversion;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * States in which version this server writes the objects of each built-in resource, when it starts
 * and again every ten minutes, in case that somebody has changed it. Used by one thread.
 */
public final class StorageVersionUpdater {

  /** Interval of the statements. */
  public static final Duration INTERVAL = Duration.ofMinutes(10);

  /** The resource in which it is stated. */
  public static final GroupVersionResource RESOURCE = StorageVersionStatus.RESOURCE;

  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final ResourceClient client;
  private final String server;
  private final List<StoredResource> resources;
  private final InstantSource clock;

  /**
   * An updater of the statements of a server.
   *
   * @param server the name of the server's Lease in {@code kube-system}
   * @param resources the built-in resources that are stored
   */
  public StorageVersionUpdater(
      ResourceClient client, String server, List<StoredResource> resources, InstantSource clock) {
    this.client = client;
    this.server = server;
    this.resources = List.copyOf(resources);
    this.clock = clock;
  }

  /**
   * Writes what is not stated yet.
   *
   * @throws IllegalStateException if the server has no Lease yet: the statements of a server
   *     without one are removed
   */
  public void update() {
    if (client.get(LEASES, "kube-system", server).isEmpty()) {
      throw new IllegalStateException("there is no Lease kube-system/" + server + " yet");
    }
    for (StoredResource resource : resources) {
      if (!state(resource)) {
        create(resource.name());
        boolean unused = state(resource);
      }
    }
  }

  /** Returns whether there is the object. */
  private boolean state(StoredResource resource) {
    MapNode statement = resource.of(server);
    return client
        .changeStatus(
            RESOURCE,
            "",
            resource.name(),
            object -> StorageVersionStatus.with(object, statement, clock.instant()))
        .isPresent();
  }

  private void create(String name) {
    try {
      ApiObject unused =
          client.create(
              RESOURCE,
              "",
              new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text(name)))));
    } catch (ApiException e) {
      // another server was faster
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }
}
