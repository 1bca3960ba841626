package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/**
 * EndpointSlices of discovery.k8s.io/v1beta1: an endpoint had labels about its place, of which the
 * zone and the node are fields in v1.
 */
final class EndpointSliceConversion {

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOST_NAME = "kubernetes.io/hostname";

  private EndpointSliceConversion() {}

  static MapNode toNew(MapNode old) {
    return Edits.editedItems(old, "endpoints", EndpointSliceConversion::newEndpoint);
  }

  private static MapNode newEndpoint(MapNode old) {
    MapNode endpoint = old.without("topology");
    if (!(old.get("topology") instanceof MapNode topology)) {
      return endpoint;
    }
    MapNode rest = topology.without(ZONE);
    Node zone = topology.get(ZONE);
    if (zone != null) {
      endpoint = endpoint.with("zone", zone);
    }
    Node host = topology.get(HOST_NAME);
    Node node = Edits.set(endpoint, "nodeName");
    // a label that contradicts the field is kept beside it
    if (host != null && (node == null || node.equals(host))) {
      endpoint = endpoint.with("nodeName", host);
      rest = rest.without(HOST_NAME);
    }
    return rest.isEmpty() ? endpoint : endpoint.with("deprecatedTopology", rest);
  }
}
