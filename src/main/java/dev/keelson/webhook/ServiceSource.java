package dev.keelson.webhook;

import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;

/** Services and their endpoints as the server knows them now; slightly stale is enough. */
public interface ServiceSource {

  /** The Service in version {@code v1}; empty if there is none. */
  Optional<ApiObject> service(String namespace, String name);

  /** The EndpointSlices of a Service in version {@code discovery.k8s.io/v1}. */
  List<ApiObject> endpointSlices(String namespace, String name);
}
