package dev.keelson.controller.storageversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * In which versions one API server writes, reads and serves the objects of a resource.
 *
 * @param name the name of the StorageVersion: GROUP.RESOURCE, with {@code core} for the core group
 * @param encoding the group and version in which objects are written
 * @param decodable those that can be read; has {@code encoding}
 * @param served those that are served
 */
public record StoredResource(
    String name, String encoding, List<String> decodable, List<String> served) {

  public StoredResource {
    decodable = List.copyOf(decodable);
    served = List.copyOf(served);
  }

  /** The statement of a server. */
  MapNode of(String server) {
    MapNode.Builder entry =
        MapNode.builder(4)
            .put("apiServerID", Node.text(server))
            .put("encodingVersion", Node.text(encoding))
            .put("decodableVersions", texts(decodable));
    if (!served.isEmpty()) {
      entry.put("servedVersions", texts(served));
    }
    return entry.build();
  }

  private static Node texts(List<String> values) {
    return new Node.Items(values.stream().<Node>map(Node::text).toList());
  }
}
