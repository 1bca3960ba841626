package dev.keelson.server.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.util.List;

/** ComponentStatuses: the health of the store, under the name {@code etcd-0} as in Kubernetes. */
public final class ComponentStatuses implements VirtualResource {

  public static final GroupResource RESOURCE = new GroupResource("", "componentstatuses");

  private static final String STORE = "etcd-0";

  private final RevisionedStore store;

  public ComponentStatuses(RevisionedStore store) {
    this.store = store;
  }

  @Override
  public ApiObject answer(Request request) {
    if (!request.info().name().equals(STORE)) {
      throw ApiException.notFound(RESOURCE, request.info().name());
    }
    return status();
  }

  @Override
  public Objects list(Request request) {
    return new Objects(List.of(status()), 0);
  }

  private ApiObject status() {
    String error = "";
    try {
      long unused = store.revision();
    } catch (StorageException e) {
      error = String.valueOf(e.getMessage());
    }
    MapNode.Builder condition =
        MapNode.builder(4)
            .put("type", Node.text("Healthy"))
            .put("status", Node.text(error.isEmpty() ? "True" : "False"));
    if (error.isEmpty()) {
      condition.put("message", Node.text("ok"));
    } else {
      condition.put("error", Node.text(error));
    }
    return new ApiObject(
        MapNode.of("metadata", MapNode.of("name", Node.text(STORE)))
            .with("conditions", new Node.Items(List.of(condition.build()))));
  }
}
