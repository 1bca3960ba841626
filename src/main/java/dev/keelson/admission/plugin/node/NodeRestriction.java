package dev.keelson.admission.plugin.node;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * NodeRestriction: a kubelet (user {@code system:node:name} of group {@code system:nodes}) may
 * write its own node, lease, CSINode and ResourceSlices, mirror pods and the status of pods bound
 * to its node, and request tokens for its pods and certificates for itself. The Node authorizer
 * does not see request bodies; this plugin checks them (source: Kubernetes' plugin of that name).
 */
public final class NodeRestriction implements Admission {

  private static final String USER = "system:node:";
  private static final String GROUP = "system:nodes";
  private static final String LEASES = "kube-node-lease";
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  /** The fields of a claim that a kubelet may update: capacity and the state of a resize. */
  private static final List<String> CLAIM_REPORTS =
      List.of("capacity", "conditions", "allocatedResourceStatuses", "allocatedResources");

  private final ClusterObjects objects;
  private final MirrorPods mirrorPods;
  private final TokenAudiences audiences;

  public NodeRestriction(ClusterObjects objects, Authorizer authorizer) {
    this.objects = objects;
    this.mirrorPods = new MirrorPods(objects);
    this.audiences = new TokenAudiences(objects, authorizer);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation != Verb.CONNECT;
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    check(call.withObject(object));
    return object;
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    check(call);
  }

  private void check(AdmissionAttributes call) {
    if (!call.user().name().startsWith(USER) || !call.user().groups().contains(GROUP)) {
      return;
    }
    String node = call.user().name().substring(USER.length());
    if (node.isEmpty()) {
      throw call.forbidden("could not determine node from user \"" + call.user().name() + "\"");
    }
    GroupVersionResource gvr = call.definition().gvr();
    switch (gvr.group() + "/" + gvr.resource()) {
      case "/pods" -> pod(node, call);
      case "/nodes" -> ownNode(node, call);
      case "/persistentvolumeclaims" -> claim(node, call);
      case "/serviceaccounts" -> token(node, call);
      case "coordination.k8s.io/leases" -> lease(node, call);
      case "storage.k8s.io/csinodes" -> named(node, call, "CSINode");
      case "resource.k8s.io/resourceslices" -> slice(node, call);
      case "certificates.k8s.io/certificatesigningrequests" ->
          NodeCertificateRequests.check(call.user().name(), call);
      default -> {}
    }
  }

  private void pod(String node, AdmissionAttributes call) {
    switch (call.subresource()) {
      case "" -> {
        switch (call.operation()) {
          case CREATE -> mirrorPods.check(node, call, Objects.requireNonNull(call.object()));
          case DELETE -> {
            if (!onNode(call.current(), node)) {
              throw call.forbidden(
                  quoted(node) + " can only delete pods with spec.nodeName set to itself");
            }
          }
          default ->
              throw call.forbidden(
                  "unexpected operation \"%s\", %s can only create and delete mirror pods"
                      .formatted(call.operation().name(), quoted(node)));
        }
      }
      case "status" -> podStatus(node, call);
      case "eviction" -> {
        ApiObject pod = objects.find(PODS, call.namespace(), call.name()).orElse(null);
        if (pod == null) {
          throw ApiException.notFound(PODS.groupResource(), call.name());
        }
        if (!onNode(pod, node)) {
          throw call.forbidden(
              "node " + node + " can only evict pods with spec.nodeName set to itself");
        }
      }
      default ->
          throw call.forbidden(
              "unexpected pod subresource \"%s\", only 'status' and 'eviction' are allowed"
                  .formatted(call.subresource()));
    }
  }

  private static void podStatus(String node, AdmissionAttributes call) {
    ApiObject current = call.current();
    ApiObject next = call.object();
    if (current == null || next == null) {
      throw unexpected(call);
    }
    if (!onNode(current, node)) {
      throw call.forbidden(
          quoted(node) + " can only update pod status for pods with spec.nodeName set to itself");
    }
    if (!current.meta().labels().equals(next.meta().labels())) {
      throw call.forbidden(quoted(node) + " cannot update labels through pod status");
    }
    if (!status(current, "resourceClaimStatuses").equals(status(next, "resourceClaimStatuses"))) {
      throw call.forbidden(quoted(node) + " cannot update resource claim statues");
    }
    if (!current
        .root()
        .map("status")
        .map("extendedResourceClaimStatus")
        .equals(next.root().map("status").map("extendedResourceClaimStatus"))) {
      throw call.forbidden(quoted(node) + " cannot update extended resource claim statuses");
    }
  }

  private static List<Node> status(ApiObject pod, String list) {
    return pod.root().map("status").items(list);
  }

  private static void ownNode(String node, AdmissionAttributes call) {
    if (!call.name().equals(node)) {
      throw call.forbidden(quoted(node) + " is not allowed to modify " + quoted(call.name()));
    }
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (call.operation() == Verb.CREATE && next != null) {
      if (next.root().map("spec").has("configSource")) {
        throw call.forbidden(
            quoted(node) + " is not allowed to create pods with a non-nil configSource");
      }
      Set<String> forbidden = NodeLabels.forbidden(next.meta().labels(), java.util.Map.of());
      if (!forbidden.isEmpty()) {
        throw call.forbidden(
            quoted(node)
                + " is not allowed to set the following labels: "
                + String.join(", ", forbidden));
      }
    } else if (call.operation() == Verb.UPDATE && next != null && current != null) {
      MapNode spec = next.root().map("spec");
      MapNode before = current.root().map("spec");
      if (spec.has("configSource")
          && !Objects.equals(spec.get("configSource"), before.get("configSource"))) {
        throw call.forbidden(
            quoted(node) + " is not allowed to update configSource to a new non-nil configSource");
      }
      if (!spec.items("taints").equals(before.items("taints"))) {
        throw call.forbidden(quoted(node) + " is not allowed to modify taints");
      }
      Set<String> forbidden = NodeLabels.forbidden(next.meta().labels(), current.meta().labels());
      if (!forbidden.isEmpty()) {
        throw call.forbidden("is not allowed to modify labels: " + String.join(", ", forbidden));
      }
      // the garbage collector would act on them
      if (!next.meta()
          .node()
          .items("ownerReferences")
          .equals(current.meta().node().items("ownerReferences"))) {
        throw call.forbidden(quoted(node) + " is not allowed to modify ownerReferences");
      }
    }
  }

  private static void claim(String node, AdmissionAttributes call) {
    if (!call.subresource().equals("status")) {
      throw call.forbidden("may only update PVC status");
    }
    ApiObject current = call.current();
    ApiObject next = call.object();
    if (current == null || next == null) {
      throw unexpected(call);
    }
    if (!unreported(current).equals(unreported(next))) {
      throw call.forbidden(
          quoted(node)
              + " is not allowed to update fields other than status.quantity and"
              + " status.conditions");
    }
  }

  /**
   * Returns the claim without the fields that a kubelet may update and without those that every
   * write changes.
   */
  private static MapNode unreported(ApiObject claim) {
    MapNode status = claim.root().map("status");
    for (String field : CLAIM_REPORTS) {
      status = status.without(field);
    }
    return claim
        .root()
        .with("metadata", claim.meta().node().without("resourceVersion").without("managedFields"))
        .with("status", status);
  }

  private void token(String node, AdmissionAttributes call) {
    ApiObject request = call.object();
    if (call.operation() != Verb.CREATE || !call.subresource().equals("token") || request == null) {
      return;
    }
    MapNode bound = request.root().map("spec").map("boundObjectRef");
    String name = bound.text("name");
    if (!bound.text("apiVersion").equals("v1")
        || !bound.text("kind").equals("Pod")
        || name.isEmpty()) {
      throw call.forbidden("node requested token not bound to a pod");
    }
    String uid = bound.text("uid");
    if (uid.isEmpty()) {
      throw call.forbidden("node requested token with a pod binding without a uid");
    }
    Optional<ApiObject> pod = objects.find(PODS, call.namespace(), name);
    if (pod.isEmpty()) {
      throw ApiException.notFound(PODS.groupResource(), name);
    }
    if (!pod.get().meta().uid().equals(uid)) {
      throw call.forbidden(
          "the UID in the bound object reference ("
              + uid
              + ") does not match the UID in record. The object might have been deleted and then"
              + " recreated");
    }
    if (!onNode(pod.get(), node)) {
      throw call.forbidden("node requested token bound to a pod scheduled on a different node");
    }
    audiences.check(call, pod.get(), request.root().map("spec").items("audiences"));
  }

  private static void lease(String node, AdmissionAttributes call) {
    if (!call.namespace().equals(LEASES)) {
      throw call.forbidden("can only access leases in the \"" + LEASES + "\" system namespace");
    }
    named(node, call, "node lease");
  }

  /** The Node authorizer decides about updates; it does not see what is created or deleted. */
  private static void slice(String node, AdmissionAttributes call) {
    switch (call.operation()) {
      case CREATE -> {
        if (!onNode(call.object(), node)) {
          throw call.forbidden(
              "can only create ResourceSlice with the same NodeName as the requesting node");
        }
      }
      case DELETE -> {
        if (!onNode(call.current(), node)) {
          throw call.forbidden(
              "can only delete ResourceSlice with the same NodeName as the requesting node");
        }
      }
      default -> {}
    }
  }

  private static void named(String node, AdmissionAttributes call, String what) {
    if (!call.name().equals(node)) {
      throw call.forbidden(
          "can only access " + what + " with the same name as the requesting node");
    }
  }

  private static boolean onNode(@Nullable ApiObject object, String node) {
    return object != null && object.root().map("spec").text("nodeName").equals(node);
  }

  private static ApiException unexpected(AdmissionAttributes call) {
    return call.forbidden("unexpected operation \"" + call.operation().name() + "\"");
  }

  private static String quoted(String node) {
    return "node \"" + node + "\"";
  }
}
