package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects that a test puts, as JSON with single quotes. */
final class KnownCluster implements ClusterObjects {

  private final Map<String, MapNode> objects = new ConcurrentHashMap<>();
  private final List<MapNode> slices = new ArrayList<>();

  KnownCluster put(String resource, String name, String json) {
    objects.put(resource + "/" + name, read(json));
    return this;
  }

  KnownCluster slice(String json) {
    slices.add(read(json));
    return this;
  }

  static MapNode read(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private MapNode get(String resource, String name) {
    MapNode found = objects.get(resource + "/" + name);
    if (found == null) {
      throw ApiException.notFound(new GroupResource("", resource), name);
    }
    return found;
  }

  @Override
  public MapNode pod(String namespace, String name) {
    return get("pods", name);
  }

  @Override
  public MapNode node(String name) {
    return get("nodes", name);
  }

  @Override
  public MapNode service(String namespace, String name) {
    return get("services", name);
  }

  @Override
  public List<MapNode> endpointSlices(String namespace, String service) {
    return slices;
  }

  @Override
  public MapNode endpoints(String namespace, String service) {
    return objects.getOrDefault("endpoints/" + service, MapNode.EMPTY);
  }
}
