package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * PodNodeSelector: adds the node selector of the namespace to its pods, and rejects pods with a
 * selector that conflicts with it or that the configuration does not allow in the namespace.
 */
public final class PodNodeSelector implements Admission {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final String ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";
  private static final String DEFAULT = "clusterDefaultNodeSelector";

  private final ClusterObjects objects;
  private final Map<String, String> selectors;

  /**
   * @param configuration has {@code podNodeSelectorPluginConfig}: the selectors that are allowed in
   *     a namespace, and {@code clusterDefaultNodeSelector}; may be empty
   */
  public PodNodeSelector(ClusterObjects objects, MapNode configuration) {
    this.objects = objects;
    this.selectors = configuration.map("podNodeSelectorPluginConfig").texts();
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && resource.equals(Pods.RESOURCE) && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    Map<String, String> wanted = namespaceSelector(call.namespace());
    Map<String, String> own = own(object);
    checkConflict(call, wanted, own);
    Map<String, String> merged = new LinkedHashMap<>(wanted);
    merged.putAll(own);
    checkAllowed(call, merged);
    return merged.equals(own)
        ? object
        : object.with("spec", Pods.spec(object).with("nodeSelector", MapNode.ofTexts(merged)));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object != null) {
      checkConflict(call, namespaceSelector(call.namespace()), own(object));
      checkAllowed(call, own(object));
    }
  }

  private static Map<String, String> own(ApiObject pod) {
    return Pods.spec(pod).map("nodeSelector").texts();
  }

  private static void checkConflict(
      AdmissionAttributes call, Map<String, String> wanted, Map<String, String> own) {
    if (NodeSelectors.conflict(wanted, own)) {
      throw call.forbidden(
          "pod node label selector conflicts with its namespace node label selector");
    }
  }

  private void checkAllowed(AdmissionAttributes call, Map<String, String> own) {
    Map<String, String> allowed = parsed(selectors.getOrDefault(call.namespace(), ""));
    if (!allowed.isEmpty() && !allowed.entrySet().containsAll(own.entrySet())) {
      throw call.forbidden("pod node label selector labels conflict with its namespace whitelist");
    }
  }

  private Map<String, String> namespaceSelector(String namespace) {
    ApiObject found =
        objects
            .find(NAMESPACES, "", namespace)
            .orElseThrow(() -> ApiException.notFound(NAMESPACES.groupResource(), namespace));
    String annotated = found.meta().annotations().get(ANNOTATION);
    return parsed(annotated == null ? selectors.getOrDefault(DEFAULT, "") : annotated);
  }

  private static Map<String, String> parsed(String selector) {
    try {
      return NodeSelectors.parse(selector);
    } catch (IllegalArgumentException e) {
      throw new ApiException(Reason.UNKNOWN, String.valueOf(e.getMessage()), ErrorDetails.NONE, e);
    }
  }
}
