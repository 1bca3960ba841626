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
import java.util.stream.IntStream;

/**
 * ComponentStatuses: the health of the stores, under the names of Kubernetes: {@code etcd-0}, and
 * {@code etcd-1} and so on for the stores of overrides.
 */
public final class ComponentStatuses implements VirtualResource {

  public static final GroupResource RESOURCE = new GroupResource("", "componentstatuses");

  private static final String PREFIX = "etcd-";

  private final List<RevisionedStore> stores;

  public ComponentStatuses(List<RevisionedStore> stores) {
    this.stores = List.copyOf(stores);
  }

  @Override
  public ApiObject answer(Request request) {
    for (int i = 0; i < stores.size(); i++) {
      if (request.info().name().equals(PREFIX + i)) {
        return status(i);
      }
    }
    throw ApiException.notFound(RESOURCE, request.info().name());
  }

  @Override
  public Objects list(Request request) {
    return new Objects(IntStream.range(0, stores.size()).mapToObj(this::status).toList(), 0);
  }

  private ApiObject status(int number) {
    String error = "";
    try {
      long unused = stores.get(number).revision();
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
        MapNode.of("metadata", MapNode.of("name", Node.text(PREFIX + number)))
            .with("conditions", new Node.Items(List.of(condition.build()))));
  }
}
