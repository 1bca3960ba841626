package dev.keelson.admission.policy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.match.Matched;
import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request on its way through the policies: its namespace is read once. Used by one thread. */
final class PolicyRequest {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final AdmissionAttributes call;
  private final List<Matched> equivalents;
  private final ClusterObjects objects;
  private @Nullable ApiObject namespace;

  PolicyRequest(AdmissionAttributes call, List<Matched> equivalents, ClusterObjects objects) {
    this.call = call;
    this.equivalents = equivalents;
    this.objects = objects;
  }

  /**
   * How a policy or binding matches the request.
   *
   * @throws ConfigurationFault if that cannot be told
   */
  Optional<Matched> match(ResourceMatcher matcher) throws ConfigurationFault {
    try {
      return matcher.match(call, equivalents, this::labels);
    } catch (ApiException e) {
      throw new ConfigurationFault(e.text());
    }
  }

  private Map<String, String> labels() {
    return found(call.namespace()).meta().labels();
  }

  /**
   * The namespace of the request; null for cluster-scoped objects, among them Namespaces.
   *
   * @throws ApiException of reason NotFound if it does not exist
   */
  @Nullable ApiObject namespace() {
    return call.namespace().isEmpty() || call.definition().gvr().equals(NAMESPACES)
        ? null
        : found(call.namespace());
  }

  private ApiObject found(String name) {
    ApiObject known = namespace;
    if (known == null) {
      known =
          objects
              .find(NAMESPACES, "", name)
              .orElseThrow(() -> ApiException.notFound(NAMESPACES.groupResource(), name));
      namespace = known;
    }
    return known;
  }
}
