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
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PodTolerationRestriction: adds the default tolerations of the namespace to its pods, and rejects
 * pods with tolerations that its whitelist does not cover. A namespace without annotations has the
 * lists of the configuration.
 */
public final class PodTolerationRestriction implements Admission {

  /** The kind of the configuration by its API version. */
  public static final Map<String, String> KINDS =
      Map.of("podtolerationrestriction.admission.k8s.io/v1alpha1", "Configuration");

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final String DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
  private static final String WHITELIST = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

  private static final MapNode MEMORY_PRESSURE =
      MapNode.of("key", Node.text("node.kubernetes.io/memory-pressure"))
          .with("operator", Node.text("Exists"))
          .with("effect", Node.text("NoSchedule"));

  private final ClusterObjects objects;
  private final List<MapNode> defaults;
  private final List<MapNode> whitelist;

  /**
   * @param configuration has {@code default} and {@code whitelist}; may be empty
   */
  public PodTolerationRestriction(ClusterObjects objects, MapNode configuration) {
    this.objects = objects;
    this.defaults = configuration.maps("default");
    this.whitelist = configuration.maps("whitelist");
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(Pods.RESOURCE)
        && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    MapNode spec = Pods.spec(object);
    List<MapNode> more = new ArrayList<>();
    if (call.operation() == Verb.CREATE) {
      more.addAll(annotated(call.namespace(), DEFAULTS).orElse(defaults));
    }
    if (!Pods.bestEffort(spec)) {
      more.add(MEMORY_PRESSURE);
    }
    List<MapNode> own = spec.maps("tolerations");
    List<MapNode> merged = more.isEmpty() ? own : Tolerations.merged(own, more);
    check(call.namespace(), merged);
    return merged.equals(own)
        ? object
        : object.with("spec", spec.with("tolerations", new Node.Items(new ArrayList<>(merged))));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object != null) {
      check(call.namespace(), Pods.spec(object).maps("tolerations"));
    }
  }

  private void check(String namespace, List<MapNode> tolerations) {
    if (tolerations.isEmpty()) {
      return;
    }
    Optional<List<MapNode>> own = annotated(namespace, WHITELIST);
    List<MapNode> allowed = own.orElse(whitelist);
    if (!allowed.isEmpty() && !Tolerations.allowed(tolerations, allowed)) {
      throw new ApiException(
          Reason.UNKNOWN,
          "pod tolerations (possibly merged with namespace default tolerations) conflict with its "
              + (own.isPresent() ? "namespace" : "cluster")
              + " whitelist");
    }
  }

  /** The tolerations in an annotation of a namespace, or empty if it does not have it. */
  private Optional<List<MapNode>> annotated(String name, String annotation) {
    ApiObject namespace =
        objects
            .find(NAMESPACES, "", name)
            .orElseThrow(() -> ApiException.notFound(NAMESPACES.groupResource(), name));
    String json = namespace.meta().annotations().get(annotation);
    return Optional.ofNullable(json).map(PodTolerationRestriction::tolerations);
  }

  private static List<MapNode> tolerations(String json) {
    if (json.isEmpty()) {
      return List.of();
    }
    try {
      return ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8))
              instanceof Node.Items items
          ? Node.maps(items.values())
          : List.of();
    } catch (DecodeException e) {
      throw new ApiException(Reason.UNKNOWN, e.text(), ErrorDetails.NONE, e);
    }
  }
}
