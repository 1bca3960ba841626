package dev.keelson.admission.plugin.node;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.PodResources;
import dev.keelson.quota.ResourceList;
import dev.keelson.value.GoQuote;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PodResizeValidator: a running pod may be resized to what its node can allocate, if the node runs
 * Linux (KEP-1287).
 */
public final class PodResizeValidator implements Admission {

  private static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");
  private static final int MILLI = 1000;

  private final ClusterObjects objects;

  public PodResizeValidator(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.UPDATE
        && resource.equals(new GroupResource("", "pods"))
        && subresource.equals("resize");
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next == null || current == null) {
      return;
    }
    String name = next.root().map("spec").text("nodeName");
    if (name.isEmpty() || next.meta().generation() == current.meta().generation()) {
      return;
    }
    ApiObject node =
        objects
            .find(NODES, "", name)
            .orElseThrow(() -> call.forbidden("node " + GoQuote.quote(name) + " not found"));
    String system = node.meta().labels().getOrDefault("kubernetes.io/os", "linux");
    if (!system.equals("linux")) {
      throw infeasible(
          call,
          "UnsupportedPlatform",
          "pod resize is only supported on linux nodes, node %s is %s"
              .formatted(GoQuote.quote(name), GoQuote.quote(system)));
    }
    checkCapacity(call, next, node.root().map("status").map("allocatable"));
  }

  private static void checkCapacity(AdmissionAttributes call, ApiObject pod, MapNode allocatable) {
    ResourceList requests =
        PodResources.declaredRequests(pod)
            .plus(ResourceList.of(pod.root().map("spec").map("overhead")));
    List<String> missing = new ArrayList<>();
    exceeded("cpu", MILLI, requests, allocatable, missing);
    exceeded("memory", 1, requests, allocatable, missing);
    if (!missing.isEmpty()) {
      throw infeasible(
          call,
          "NodeCapacity",
          "node didn't have enough allocatable resources: " + String.join("; ", missing));
    }
  }

  private static void exceeded(
      String resource,
      int scale,
      ResourceList requests,
      MapNode allocatable,
      List<String> missing) {
    BigDecimal requested = amount(requests.get(resource));
    BigDecimal allowed = amount(Quantity.tryParse(allocatable.text(resource)).orElse(null));
    if (requested.compareTo(allowed) > 0) {
      missing.add(
          "%s, requested: %s, allocatable: %s"
              .formatted(resource, shown(requested, scale), shown(allowed, scale)));
    }
  }

  private static BigDecimal amount(@Nullable Quantity quantity) {
    return quantity == null ? BigDecimal.ZERO : quantity.amount();
  }

  private static String shown(BigDecimal amount, int scale) {
    return amount
        .multiply(BigDecimal.valueOf(scale))
        .setScale(0, RoundingMode.CEILING)
        .toPlainString();
  }

  /** The cause tells clients that retrying does not help. */
  private static ApiException infeasible(AdmissionAttributes call, String cause, String why) {
    ApiException refusal = call.forbidden(why);
    return new ApiException(
        Reason.FORBIDDEN,
        refusal.text(),
        refusal.details().withCauses(List.of(new FieldCause(cause, "", ""))),
        null);
  }
}
