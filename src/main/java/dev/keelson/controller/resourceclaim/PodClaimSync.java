package dev.keelson.controller.resourceclaim;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodNeeds;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes the claims of a pod, and reserves those that are allocated for a pod that has a node. */
final class PodClaimSync {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource TEMPLATES =
      new GroupVersion("resource.k8s.io", "v1").resource("resourceclaimtemplates");

  /** Room for a hyphen and five random characters in 63. */
  private static final int LONGEST_BASE = 57;

  /** Of {@code status.reservedFor}. */
  private static final int MOST_CONSUMERS = 256;

  private final ApiClient client;
  private final ApiClient templates;
  private final Informer<ResourceClaimFacts> claims;
  private final EventRecorder events;

  /** Claims that were made and are not in the status of their pod yet. */
  private final Map<Entry, String> made = new ConcurrentHashMap<>();

  private record Entry(String podUid, String name) {}

  /**
   * @param templates lists templates, which the service account may not
   */
  PodClaimSync(
      ApiClient client,
      ApiClient templates,
      Informer<ResourceClaimFacts> claims,
      EventRecorder events) {
    this.client = client;
    this.templates = templates;
    this.claims = claims;
    this.events = events;
  }

  Outcome sync(ObjectName name) throws InterruptedException {
    ApiObject pod = client.get(PODS, name.namespace(), name.name()).orElse(null);
    if (pod == null || pod.meta().deleting()) {
      return Outcome.DONE;
    }
    List<MapNode> entries = pod.root().map("spec").maps("resourceClaims");
    List<Node> statuses = new ArrayList<>();
    for (MapNode entry : entries) {
      try {
        String claim = make(pod, entry);
        if (!claim.isEmpty()) {
          statuses.add(
              MapNode.of("name", Node.text(entry.text("name")))
                  .with("resourceClaimName", Node.text(claim)));
        }
      } catch (ApiException e) {
        return failed(pod, entry, e.text());
      } catch (IllegalArgumentException e) {
        return failed(pod, entry, String.valueOf(e.getMessage()));
      }
    }
    if (!statuses.isEmpty()) {
      tell(pod, statuses);
    }
    // a scheduler reserves claims for the pods that it schedules
    if (!pod.root().map("spec").text("nodeName").isEmpty()) {
      for (MapNode entry : entries) {
        reserve(pod, entry);
      }
    }
    return Outcome.DONE;
  }

  private Outcome failed(ApiObject pod, MapNode entry, String problem) {
    events.record(
        reference(pod),
        EventRecorder.Type.WARNING,
        "FailedResourceClaimCreation",
        "PodResourceClaim " + entry.text("name") + ": " + problem);
    return Outcome.RETRY;
  }

  /** Merged by name, so that the statuses of other claims stay. */
  private void tell(ApiObject pod, List<Node> statuses) throws InterruptedException {
    MapNode patch =
        MapNode.of("status", MapNode.of("resourceClaimStatuses", new Node.Items(statuses)))
            .with("metadata", MapNode.of("uid", Node.text(pod.meta().uid())));
    Written unused =
        client.patch(
            PODS,
            pod.meta().namespace(),
            pod.meta().name(),
            "status",
            Patch.STRATEGIC_MERGE,
            patch);
    for (MapNode entry : Node.maps(statuses)) {
      made.keySet().remove(new Entry(pod.meta().uid(), entry.text("name")));
    }
  }

  /**
   * Makes the claim of an entry; returns the name that the pod's status shall have, empty if
   * nothing is to be told.
   *
   * @throws IllegalArgumentException telling why it cannot be made
   */
  private String make(ApiObject pod, MapNode entry) throws InterruptedException {
    String name = entry.text("name");
    String template = entry.text("resourceClaimTemplateName");
    if (template.isEmpty()) {
      if (entry.text("resourceClaimName").isEmpty()) {
        throw new IllegalArgumentException(
            "checking for claim before creating it: pod claim \""
                + name
                + "\": none of the supported fields are set");
      }
      return "";
    }
    if (isToldNotNeeded(pod, name)) {
      return "";
    }
    String known = PodNeeds.resourceClaim(pod, entry);
    if (!known.isEmpty() && isOwn(pod, known)) {
      return "";
    }
    Entry key = new Entry(pod.meta().uid(), name);
    String earlier = made.getOrDefault(key, "");
    if (!earlier.isEmpty()) {
      return earlier;
    }
    for (ResourceClaimFacts claim : claims.by(ResourceClaimFacts.BY_POD, pod.meta().uid())) {
      if (claim.entry().equals(name)) {
        return claim.name().name();
      }
    }
    String created = create(pod, name, template);
    made.put(key, created);
    return created;
  }

  private static boolean isToldNotNeeded(ApiObject pod, String entry) {
    return pod.root().map("status").maps("resourceClaimStatuses").stream()
        .anyMatch(
            status ->
                status.text("name").equals(entry) && status.text("resourceClaimName").isEmpty());
  }

  private boolean isOwn(ApiObject pod, String claim) throws InterruptedException {
    ApiObject stored = claim(pod, claim);
    return stored != null && isOwn(pod, stored);
  }

  private static boolean isOwn(ApiObject pod, ApiObject claim) {
    Owner owner = ResourceClaimFacts.pod(claim);
    return owner != null && owner.uid().equals(pod.meta().uid());
  }

  private @Nullable ApiObject claim(ApiObject pod, String name) throws InterruptedException {
    return client.get(ResourceClaimFacts.RESOURCE, pod.meta().namespace(), name).orElse(null);
  }

  private String create(ApiObject pod, String entry, String template) throws InterruptedException {
    Selection one =
        new Selection(TEMPLATES, pod.meta().namespace(), "", "metadata.name=" + template);
    List<ApiObject> found = templates.list(one);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "resource claim template \"%s\": resourceclaimtemplate.resource.k8s.io \"%s\" not found"
              .formatted(template, template));
    }
    MapNode spec = found.getFirst().root().map("spec");
    MapNode given = spec.map("metadata");
    MapNode.Builder metadata =
        MapNode.builder(5)
            .put("generateName", Node.text(base(pod.meta().name(), entry)))
            .put("namespace", Node.text(pod.meta().namespace()))
            .put("ownerReferences", new Node.Items(List.of(owner(pod))))
            .put(
                "annotations",
                given.map("annotations").with(ResourceClaimFacts.ENTRY, Node.text(entry)));
    if (given.has("labels")) {
      metadata.put("labels", given.map("labels"));
    }
    ApiObject claim =
        new ApiObject(MapNode.of("metadata", metadata.build()).with("spec", spec.map("spec")))
            .withType(ResourceClaimFacts.RESOURCE.apiVersion(), "ResourceClaim");
    return client.create(ResourceClaimFacts.RESOURCE, claim).object().meta().name();
  }

  /** A pod that is deleted in the foreground does not wait for its claims, which wait for it. */
  private static Node owner(ApiObject pod) {
    return Owner.reference(reference(pod)).without("blockOwnerDeletion");
  }

  /** The begin of a claim's name: both parts are cut in proportion to their length. */
  static String base(String pod, String entry) {
    String whole = pod + "-" + entry + "-";
    if (whole.length() <= LONGEST_BASE) {
      return whole;
    }
    return pod.substring(0, pod.length() * LONGEST_BASE / whole.length())
        + "-"
        + entry.substring(0, entry.length() * LONGEST_BASE / whole.length());
  }

  private void reserve(ApiObject pod, MapNode entry) throws InterruptedException {
    String name = PodNeeds.resourceClaim(pod, entry);
    ApiObject claim = name.isEmpty() ? null : claim(pod, name);
    if (claim == null) {
      return;
    }
    if (entry.has("resourceClaimTemplateName") && !isOwn(pod, claim)) {
      throw new IllegalStateException(
          "ResourceClaim %s/%s was not created for pod %s/%s (pod is not owner)"
              .formatted(pod.meta().namespace(), name, pod.meta().namespace(), pod.meta().name()));
    }
    MapNode status = claim.root().map("status");
    List<Node> consumers = new ArrayList<>(status.items("reservedFor"));
    boolean reserved =
        Node.maps(consumers).stream().anyMatch(each -> each.text("uid").equals(pod.meta().uid()));
    if (!status.has("allocation") || reserved || consumers.size() >= MOST_CONSUMERS) {
      return;
    }
    consumers.add(
        MapNode.builder(3)
            .put("resource", Node.text("pods"))
            .put("name", Node.text(pod.meta().name()))
            .put("uid", Node.text(pod.meta().uid()))
            .build());
    Written unused =
        client.updateStatus(
            ResourceClaimFacts.RESOURCE,
            claim.with("status", status.with("reservedFor", new Node.Items(consumers))));
  }

  private static ObjectReference reference(ApiObject pod) {
    return ObjectReference.of("v1", "Pod", pod.meta());
  }
}
