package dev.keelson.registry.discovery;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts a change of labels, which name the service, as a change of the generation, and drops the
 * labels of places that endpoints had in an older version (source: dropTopologyOnV1).
 */
public final class EndpointSliceStrategy implements KindStrategy {

  private static final String ENDPOINTS = "endpoints";
  private static final String TOPOLOGY = "deprecatedTopology";
  private static final String NODE = "nodeName";
  private static final String HOST_NAME = "kubernetes.io/hostname";

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return withoutTopology(object, Set.of());
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    List<Node> before = current.root().items(ENDPOINTS);
    ApiObject next =
        object.root().items(ENDPOINTS).equals(before)
            ? object
            : withoutTopology(object, nodes(before));
    return next.meta().labels().equals(current.meta().labels())
        ? next
        : next.withMeta(next.meta().withGeneration(current.meta().generation() + 1));
  }

  /** The nodes that stored endpoints name in their labels. */
  private static Set<String> nodes(List<Node> endpoints) {
    Set<String> nodes = new HashSet<>();
    for (Node item : endpoints) {
      if (item instanceof MapNode endpoint && endpoint.map(TOPOLOGY).has(HOST_NAME)) {
        nodes.add(endpoint.map(TOPOLOGY).text(HOST_NAME));
      }
    }
    return nodes;
  }

  /**
   * @param nodes what may move from the labels to the field
   */
  private static ApiObject withoutTopology(ApiObject slice, Set<String> nodes) {
    List<Node> kept = new ArrayList<>();
    boolean changed = false;
    for (Node item : slice.root().items(ENDPOINTS)) {
      if (item instanceof MapNode endpoint && endpoint.has(TOPOLOGY)) {
        String node = endpoint.map(TOPOLOGY).text(HOST_NAME);
        MapNode next = endpoint.without(TOPOLOGY);
        kept.add(!next.has(NODE) && nodes.contains(node) ? next.with(NODE, Node.text(node)) : next);
        changed = true;
      } else {
        kept.add(item);
      }
    }
    return changed ? slice.with(ENDPOINTS, new Node.Items(kept)) : slice;
  }
}
