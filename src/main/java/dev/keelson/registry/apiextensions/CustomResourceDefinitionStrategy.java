package dev.keelson.registry.apiextensions;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The strategy of CustomResourceDefinitions: every version that ever was the storage version is
 * listed in {@code status.storedVersions} until a client removes it there (source: the strategies
 * of Kubernetes' customresourcedefinition storage).
 */
public final class CustomResourceDefinitionStrategy implements KindStrategy {

  private static final String STORED = "storedVersions";

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return withStorageVersion(object.with("status", MapNode.EMPTY));
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    // an update of the status may remove the storage version
    return object.root().map("status").equals(current.root().map("status"))
        ? withStorageVersion(object)
        : object;
  }

  @Override
  public ApiObject prepareForStatusUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    List<Node> stored = current.root().map("status").items(STORED);
    return status.items(STORED).isEmpty() && !stored.isEmpty()
        ? object.with("status", status.with(STORED, new Node.Items(stored)))
        : object;
  }

  @Override
  public Optional<ApiObject> beginDeletion(ApiObject object, String now) {
    return DefinitionDeletion.begin(object, now);
  }

  private static ApiObject withStorageVersion(ApiObject object) {
    MapNode status = object.root().map("status");
    List<Node> stored = new ArrayList<>(status.items(STORED));
    for (MapNode version : object.root().map("spec").maps("versions")) {
      if (version.get("storage") == Node.Bool.TRUE) {
        Node name = Node.text(version.text("name"));
        if (stored.contains(name)) {
          return object;
        }
        stored.add(name);
        return object.with("status", status.with(STORED, new Node.Items(stored)));
      }
    }
    return object;
  }
}
