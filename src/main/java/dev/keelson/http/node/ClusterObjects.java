package dev.keelson.http.node;

import dev.keelson.object.Node.MapNode;
import java.util.List;

/** The objects that say where a request goes. May block. */
public interface ClusterObjects {

  /**
   * The newest state of a pod.
   *
   * @throws dev.keelson.api.ApiException of reason NotFound
   */
  MapNode pod(String namespace, String name);

  /**
   * The newest state of a node.
   *
   * @throws dev.keelson.api.ApiException of reason NotFound
   */
  MapNode node(String name);

  /**
   * The newest state of a Service.
   *
   * @throws dev.keelson.api.ApiException of reason NotFound
   */
  MapNode service(String namespace, String name);

  /** The EndpointSlices of a Service. */
  List<MapNode> endpointSlices(String namespace, String service);

  /** The Endpoints of a Service, or an empty object. */
  MapNode endpoints(String namespace, String service);
}
